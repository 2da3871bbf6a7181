/** Opens answers by the rules of a test. */
import type { HttpAnswer } from '../../src/core/ports.ts';
import { openAnswer } from '../../src/platform/answer.ts';
import type { OpenedRefusal, OpenedSuccess } from '../../src/platform/answer.ts';
import type { EndpointName } from '../../src/platform/contract.ts';
import type { Credentials } from '../../src/platform/credentials.ts';
import { appCredentials, profileOf, SHANGHAI } from './platform-server.ts';

export interface Rules {
  profile?: object;
  everSigned?: boolean;
  endpoint?: EndpointName;
  credentials?: Credentials;
}

export function open(answer: Partial<HttpAnswer> | string, rules: Rules = {}): OpenedSuccess | OpenedRefusal {
  const whole = typeof answer === 'string' ? { text: answer } : answer;
  return openAnswer(
    {
      status: 200,
      contentType: 'application/json;charset=UTF-8',
      retryAfterMs: undefined,
      text: '',
      ...whole,
    },
    {
      profile: profileOf(rules.profile ?? {}),
      credentials: rules.credentials ?? appCredentials(),
      endpoint: rules.endpoint ?? 'division/query',
      reqId: 'r1',
      zone: SHANGHAI,
      habit: { everSigned: rules.everSigned ?? false },
      secrets: [],
    },
  );
}

export function failureOf(answer: Partial<HttpAnswer> | string, rules: Rules = {}): unknown {
  try {
    return open(answer, rules);
  } catch (error) {
    return error;
  }
}
