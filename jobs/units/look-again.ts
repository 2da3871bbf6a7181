/**
 * When to look again whether something is there: after a part of what was waited so far. So nobody is late by more than
 * that part, and who waits long asks seldom.
 */
const PART = 0.05;
const MS_MIN = 50;
const MS_MAX = 500;

export function lookAgainMs(waitedMs: number): number {
  return Math.min(MS_MAX, Math.max(MS_MIN, waitedMs * PART));
}
