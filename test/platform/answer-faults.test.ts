/** Answers that are no envelope, and the fuzz of all that may come instead of one (N6, N7, N13, U43). */
import { describe, expect, test } from 'vitest';

import { NotThePlatform, OutcomeUnknown } from '../../src/core/errors.ts';
import type { OpenedRefusal, OpenedSuccess } from '../../src/platform/answer.ts';
import { failureOf, open } from './answer-opening.ts';
import { envelopeText, successText } from './platform-server.ts';
import { fc, runs } from '../helpers/properties.ts';

describe('no envelope', () => {
  test('ENV-18: a code that is no text is no answer', () => {
    expect(failureOf('{"code":0,"msg":"ok","bizData":"{}"}')).toBeInstanceOf(OutcomeUnknown);
    expect(failureOf({ status: 404, text: '{"code":404,"msg":"not found"}' })).toBeInstanceOf(NotThePlatform);
  });

  test.each([
    '',
    ' ',
    'null',
    '[]',
    '"000000"',
    '7',
    '{}',
    '{',
    '<html>',
    '[{"code":"000000"}]',
    '{"Code":"000000"}',
  ])('N7: 200 with %j is unknown', (text) => {
    expect(failureOf(text)).toBeInstanceOf(OutcomeUnknown);
  });

  test('N7: nesting without end is unknown, not a crash', () => {
    expect(failureOf(`{"code":"000000","x":${'['.repeat(100_000)}`)).toBeInstanceOf(OutcomeUnknown);
    const bizData = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`;
    expect(failureOf(envelopeText({ code: '000000', bizData }))).toBeInstanceOf(OutcomeUnknown);
  });

  test.each(['', 'null', '[]', '7', '"{}"', '{', 'plain'])('ENV-19: bizData %j is unknown', (bizData) => {
    expect(failureOf(envelopeText({ code: '000000', bizData }))).toBeInstanceOf(OutcomeUnknown);
  });

  test('ENV-19: bizData that is an object, or absent, is unknown', () => {
    expect(failureOf('{"code":"000000","bizData":{"total":0}}')).toBeInstanceOf(OutcomeUnknown);
    expect(failureOf('{"code":"000000"}')).toBeInstanceOf(OutcomeUnknown);
  });

  test('N6, U43: by status: 5xx, 408 and 429 unknown, other 4xx and all 3xx not the platform', () => {
    const kinds = [500, 502, 503, 504, 408, 429, 400, 401, 404, 415, 301, 302, 307, 308].map((status) => {
      const failure = failureOf({ status, contentType: 'text/html', text: '<html></html>' });
      return [status, failure instanceof OutcomeUnknown, failure instanceof NotThePlatform];
    });
    expect(kinds).toEqual([
      [500, true, false],
      [502, true, false],
      [503, true, false],
      [504, true, false],
      [408, true, false],
      [429, true, false],
      [400, false, true],
      [401, false, true],
      [404, false, true],
      [415, false, true],
      [301, false, true],
      [302, false, true],
      [307, false, true],
      [308, false, true],
    ]);
  });

  test('N13: a redirect is refused even with an envelope', () => {
    for (const status of [300, 307, 399]) {
      expect(failureOf({ status, text: successText({}) })).toBeInstanceOf(NotThePlatform);
    }
  });

  test('N6: nothing is read from a wrong content type; a Retry-After is handed on', () => {
    const html = { contentType: 'text/html;charset=utf-8', text: successText({}) };
    expect(failureOf(html)).toBeInstanceOf(OutcomeUnknown);
    expect(failureOf({ ...html, status: 503, retryAfterMs: 5_000 })).toMatchObject({ retryAfterMs: 5_000 });
    for (const contentType of [
      'application/json',
      'Application/JSON; charset=UTF-8',
      'application/json ; charset=UTF-8',
      'text/json',
      'application/x+json',
      '',
    ]) {
      expect(open({ contentType, text: successText({}) })).toMatchObject({ kind: 'accepted' });
    }
  });

  test('ERR-05: what is said of an unreadable answer is where and how much, never its content', () => {
    const failure = failureOf({ status: 200, text: '{"payerName":"张三"}' }) as OutcomeUnknown;
    expect(failure.message).toBe(
      'division/query: unreadable answer (HTTP 200, application/json;charset=UTF-8)',
    );
    expect(failure.facts).toEqual({
      endpoint: 'division/query',
      reqId: 'r1',
      status: 200,
      contentType: 'application/json;charset=UTF-8',
      bytes: 22,
      sha256: 'e88b1f759373f6f5f80a8792bdc7d11a68d5c02a164ef87e5cde12d05c755bfd',
    });
    const long = failureOf({ contentType: `text/${'x'.repeat(200)}`, text: '' });
    expect(long).toHaveProperty('facts.contentType', `text/${'x'.repeat(95)}`);
  });
});

test('N6, N7: whatever status, type and body come, the result is one of the six, and success only a signed one', () => {
  const status = fc.oneof(fc.constant(200), fc.integer({ min: 200, max: 599 }));
  const contentType = fc.constantFrom(
    'application/json',
    'text/html',
    'text/plain',
    '',
    'application/json; charset=gbk',
  );
  const valid = fc.jsonValue().map((value) => successText({ value }));
  const mutated = fc.tuple(valid, fc.nat(), fc.string({ maxLength: 3 })).map(([text, at, junk]) => {
    const place = at % text.length;
    return text.slice(0, place) + junk + text.slice(place + junk.length);
  });
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), valid, mutated);
  fc.assert(
    fc.property(status, contentType, text, (status, contentType, text) => {
      const result = failureOf({ status, contentType, text }, { everSigned: true });
      expect([
        'OutcomeUnknown',
        'AnswerUnread',
        'NotThePlatform',
        'SignatureWrong',
        'refused',
        'signed success',
      ]).toContain(kindOf(result));
    }),
    { numRuns: runs(1_000) },
  );
});

function kindOf(result: unknown): string {
  if (result instanceof Error) return result.name;
  const opened = result as OpenedSuccess | OpenedRefusal;
  return opened.kind === 'refused' ? 'refused' : `${opened.signed ? 'signed' : 'unsigned'} success`;
}
