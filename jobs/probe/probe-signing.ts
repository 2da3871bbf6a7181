/** How requests are signed: the secret's name, the letter case of MD5, RSA2, the credential's spelling (U1, U2, U3, U6). */
import type { SignStyle } from '../../src/platform/credentials.ts';
import { judged, leftOpen, listText } from './probe-finding.ts';
import type { Judged, Probing } from './probe-finding.ts';
import { getsFurther, isAsUsual } from './probe-greeting.ts';
import { MADE_UP, saidBy } from './probe-line.ts';

/** The two names of the document; where one is in use the other is tried once, to know whether both are taken. */
const DOCUMENTED = ['appSecret', 'apiSecret'];
const SPELLINGS = ['apiKey', 'APIkey'];

export async function probeSigning(at: Probing): Promise<Judged[]> {
  const { profile, line } = at;
  const { credentials } = line.parts;
  const mode = credentials.field === 'apiKey' ? 'apiKey' : 'app';
  const signs = credentials.signType === 'MD5' ? await probeMd5(at, mode) : rsaSigns(at, mode);
  return [...signs, otherMode(at, mode), settlePath(at), ...(await probeSpelling(at, profile, mode))];
}

type Mode = 'apiKey' | 'app';

async function probeMd5(at: Probing, mode: Mode): Promise<Judged[]> {
  const { profile, line, greeting } = at;
  const used = line.style;
  const otherCase: SignStyle = { ...used, md5Case: used.md5Case === 'upper' ? 'lower' : 'upper' };
  const others = DOCUMENTED.filter((name) => name !== used.secretName);
  for (const style of [otherCase, ...others.map((secretName) => ({ ...used, secretName }))]) {
    if (greeting.trials.some((trial) => equal(trial.style, style))) continue;
    const heard = await line.ask('acct/queryInfo', { accountNo: greeting.accountNo }, { style });
    if (heard.kind === 'silent') continue;
    greeting.trials.push({ style, isTaken: isAsUsual(heard, greeting.usual) });
  }
  const rsa = leftOpen(profile, {
    u: 'U3',
    key: 'signing.rsa.padding',
    tried: 'nothing: this credential signs with MD5',
    answer: 'give PLATFORM_APP_ID with PLATFORM_SIGN_TYPE=RSA2 and the key files',
  });
  return [...taken(at, mode), rsa];
}

/** What the trials say, as long as a wrong signature is not taken as well. */
function taken(at: Probing, mode: Mode): Judged[] {
  const { profile, line, greeting } = at;
  const used = line.style;
  const styles = greeting.trials.filter(({ isTaken }) => isTaken).map(({ style }) => style);
  const names = [...new Set([used, ...styles].map(({ secretName }) => secretName))];
  const cases = [...new Set([used, ...styles].map(({ md5Case }) => md5Case))];
  const inForce = profile.signing.secretName[mode];
  const name = judged(profile, {
    u: 'U1',
    key: `signing.secretName.${mode}`,
    tried: `acct/queryInfo signed with ${tried(greeting.trials.map(({ style }) => style.secretName || '""'))}`,
    answer: `taken: ${listText(names)}; a wrong one: ${saidBy(greeting.rejected)}`,
    found: listText(names),
    fits: names.includes(inForce),
    change: { value: used.secretName },
  });
  const letterCase = judged(profile, {
    u: 'U2',
    key: 'signing.md5Case',
    tried: `acct/queryInfo signed in ${tried(greeting.trials.map(({ style }) => style.md5Case))} case`,
    answer: `taken: ${listText(cases)}`,
    found: listText(cases),
    fits: cases.includes(profile.signing.md5Case),
    change: { value: used.md5Case },
  });
  if (!greeting.rejected.isAccepted) return [name, letterCase];
  const answer = 'a wrong signature is taken as well: nothing can be told apart';
  return [name, letterCase].map(({ u, key, tried }) => leftOpen(profile, { u, key, tried, answer }));
}

function equal(one: SignStyle, other: SignStyle): boolean {
  return one.secretName === other.secretName && one.md5Case === other.md5Case;
}

function tried(words: readonly string[]): string {
  return [...new Set(words)].join(', ');
}

/** That the platform took our request is half of it; its own signature is looked at with the answers (U4). */
function rsaSigns({ profile }: Probing, mode: Mode): Judged[] {
  const open = (u: string, key: string): Judged =>
    leftOpen(profile, {
      u,
      key,
      tried: 'nothing: RSA2 has neither a secret nor a letter case',
      answer: 'give PLATFORM_SECRET with PLATFORM_SIGN_TYPE=MD5',
    });
  const taken = judged(profile, {
    u: 'U3',
    key: 'signing.rsa.padding',
    tried: 'acct/queryInfo signed with SHA256withRSA, PKCS#1 v1.5, Base64',
    answer: 'taken',
    found: 'pkcs1v15',
    fits: true,
  });
  return [open('U1', `signing.secretName.${mode}`), open('U2', 'signing.md5Case'), taken];
}

function otherMode({ profile }: Probing, mode: Mode): Judged {
  const other = mode === 'apiKey' ? 'app' : 'apiKey';
  return leftOpen(profile, {
    u: 'U1',
    key: `signing.secretName.${other}`,
    tried: 'nothing: there is one credential',
    answer: `give ${other === 'app' ? 'PLATFORM_APP_ID' : 'PLATFORM_API_KEY'} instead and probe again`,
  });
}

/** The document's page of order/settle has another name for the secret; only a settlement can tell. */
function settlePath({ profile }: Probing): Judged {
  return leftOpen(profile, {
    u: 'U1',
    key: 'signing.secretNameByPath',
    tried: 'nothing: order/settle changes something, and no harmless call shows its signature',
    answer: 'if the first settlement is refused for its signature: {"order/settle": "apiSecret"}',
  });
}

/** Asked for the voucher of an order nobody has: a refusal for that reason took the credential. */
async function probeSpelling(
  { line, greeting }: Probing,
  profile: Probing['profile'],
  mode: Mode,
): Promise<Judged[]> {
  const key = 'envelope.credentialNameByPath';
  if (mode === 'app') return [];
  const inForce = profile.envelope.credentialNameByPath['get/transFiles'] ?? 'apiKey';
  const taken: string[] = [];
  const answers: string[] = [];
  let isUnheard = false;
  for (const credentialName of new Set([inForce, ...SPELLINGS])) {
    const biz = { transType: '3', outOrderNo: MADE_UP };
    const heard = await line.ask('get/transFiles', biz, { credentialName });
    if (heard.kind === 'answered' && getsFurther(heard, greeting.rejected)) taken.push(credentialName);
    isUnheard ||= heard.kind === 'silent' && credentialName === inForce;
    answers.push(`${credentialName}: ${saidBy(heard)}`);
  }
  const subject = { u: 'U6', key, tried: 'get/transFiles with both spellings', answer: answers.join('; ') };
  if (taken.length === 0 || isUnheard) return [leftOpen(profile, { ...subject, inForce })];
  const value = { ...profile.envelope.credentialNameByPath, 'get/transFiles': taken[0] };
  const fits = taken.includes(inForce);
  return [judged(profile, { ...subject, inForce, found: listText(taken), fits, change: { value } })];
}
