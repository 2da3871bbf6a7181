/** Values that must never be read in a log line or a note: planted in the world, looked for at the end. */

export const CANARY = {
  /** Of a bank account; its last digit is the right check digit. */
  card: '6222020000001234560',
  mobile: '13812345678',
  /** What the requests are signed with. */
  secret: 'canary-secret-9f2c7a41',
} as const;

const VALUES: readonly string[] = Object.values(CANARY);

export function canaryIn(text: string): string | undefined {
  return VALUES.find((value) => text.includes(value));
}
