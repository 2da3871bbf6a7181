/** `recon alerts test`: each way of telling, as its receiver sees and verifies it. */
import { createHmac } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandBooks } from '../command-books.ts';
import { faultsOf } from '../../helpers/cli.ts';
import { openMailServer, openReceiver, shownMail } from './receivers.ts';
import type { MailServer, Receiver } from './receivers.ts';

const { reconWith, file } = commandBooks();

let receiver: Receiver;
let mail: MailServer;

beforeEach(async () => {
  receiver = await openReceiver();
  mail = await openMailServer();
});
afterEach(async () => {
  await receiver.close();
  await mail.close();
});

const tested = (env: Readonly<Record<string, string>>, ...args: string[]) =>
  reconWith(env, 'alerts', 'test', ...args);

test('a receiver of one’s own verifies time and body by the secret', async () => {
  const env = {
    ALERT_WEBHOOK_URL: `${receiver.url}/hook?team=a`,
    ALERT_WEBHOOK_SECRET: 'shared secret'.replace(' ', '-'),
  };
  expect((await tested(env)).status).toBe(0);
  const [got] = receiver.received;
  const timestamp = String(got?.headers['x-recon-timestamp']);
  const expected = createHmac('sha256', 'shared-secret')
    .update(timestamp)
    .update('.')
    .update(got?.body ?? '');
  expect(got?.headers['x-recon-signature']).toBe(`sha256=${expected.digest('hex')}`);
  expect(Math.abs(Date.now() / 1_000 - Number(timestamp))).toBeLessThan(300);
  expect([got?.path, got?.query.get('team')]).toEqual(['/hook', 'a']);
  const document = JSON.parse(got?.body ?? '') as Record<string, unknown>;
  expect(document).toMatchObject({
    schema: 1,
    kind: 'test',
    severity: 'info',
    locale: 'zh-CN',
    sumFen: null,
  });
  expect(document['title']).toBe('测试消息（webhook）：收到即表示通道可用');
  expect(got?.headers['x-recon-alert']).toBe(document['id']);
});

test('钉钉: time in milliseconds and signature stand in the address, beside the token', async () => {
  const env = {
    ALERT_DINGTALK_URL: `${receiver.url}/robot/send?access_token=T0KEN`,
    ALERT_DINGTALK_SECRET: 'SEC123',
  };
  expect((await tested(env)).status).toBe(0);
  const [got] = receiver.received;
  const timestamp = got?.query.get('timestamp') ?? '';
  expect(timestamp).toMatch(/^\d{13}$/);
  const sign = createHmac('sha256', Buffer.from('SEC123'))
    .update(Buffer.from(`${timestamp}\nSEC123`))
    .digest('base64');
  expect(got?.query.get('sign')).toBe(sign);
  expect(got?.query.get('access_token')).toBe('T0KEN');
  expect(JSON.parse(got?.body ?? '')).toEqual({
    msgtype: 'text',
    text: { content: '测试消息（dingtalk）：收到即表示通道可用\n由 recon alerts test 发出，无须处理' },
  });
});

test('飞书: time in seconds and the signature of nothing stand in the body', async () => {
  const env = {
    ALERT_FEISHU_URL: `${receiver.url}/open-apis/bot/v2/hook/x`,
    ALERT_FEISHU_SECRET: 'fs-secret',
  };
  expect((await tested({ ...env, REPORT_LOCALE: 'en' })).status).toBe(0);
  const body = JSON.parse(receiver.received[0]?.body ?? '') as Record<string, unknown>;
  const timestamp = String(body['timestamp']);
  expect(timestamp).toMatch(/^\d{10}$/);
  const hmac = createHmac('sha256', Buffer.from(`${timestamp}\nfs-secret`, 'utf8'));
  expect(body['sign']).toBe(hmac.update(new Uint8Array()).digest('base64'));
  expect([body['msg_type'], body['content']]).toEqual([
    'text',
    {
      text: 'Test message (feishu): it has arrived, so the channel works\nSent by recon alerts test; nothing is to be done',
    },
  ]);
});

test('企业微信: the key stands in the address', async () => {
  expect((await tested({ ALERT_WECOM_URL: `${receiver.url}/cgi-bin/webhook/send?key=K1` })).status).toBe(0);
  const [got] = receiver.received;
  expect(got?.query.get('key')).toBe('K1');
  expect(JSON.parse(got?.body ?? '')).toMatchObject({ msgtype: 'text' });
});

test('mail: subject and text are those of the alert, the password is that of the address', async () => {
  const env = {
    ALERT_MAIL_URL: `smtp://robot:p%40ss%20word@${mail.url}`,
    ALERT_MAIL_FROM: 'recon@company.example',
    ALERT_MAIL_TO: 'cfo@company.example, books@company.example',
  };
  expect((await tested(env)).status).toBe(0);
  expect(mail.mails.map(({ from, to }) => [from, ...to])).toEqual([
    ['recon@company.example', 'cfo@company.example', 'books@company.example'],
  ]);
  const [first] = mail.mails.map(shownMail);
  expect(first?.subject).toBe('测试消息（mail）：收到即表示通道可用');
  expect(first?.text).toContain('由 recon alerts test 发出，无须处理');
  const wrong = await tested({ ...env, ALERT_MAIL_URL: `smtp://robot:not-this-one@${mail.url}` });
  expect(wrong.status).toBe(1);
  expect(wrong.stdout + wrong.stderr).not.toContain('not-this-one');
});

test('a command gets the document on its stdin and nothing of our settings; one that fails says so', async () => {
  const program = await file('tell.sh', '#!/bin/sh\ncat > "$0.got"\nenv > "$0.env"\n');
  await chmod(program, 0o755);
  const env = { ALERT_COMMAND: program, PLATFORM_SECRET: 'a-secret-of-ours' };
  expect((await tested(env)).status).toBe(0);
  expect(JSON.parse(await readFile(`${program}.got`, 'utf8'))).toMatchObject({ schema: 1, kind: 'test' });
  expect(await readFile(`${program}.env`, 'utf8')).not.toContain('a-secret-of-ours');
  await writeFile(program, '#!/bin/sh\necho no such pager >&2\nexit 3\n');
  const { status, stdout } = await tested(env);
  expect([status, stdout.trim()]).toEqual([
    1,
    'not sent  command  测试消息（command）：收到即表示通道可用: the command ended with 3: no such pager',
  ]);
});

describe('a receiver that takes nothing', () => {
  const hook = (url: string) => ({ ALERT_WECOM_URL: `${url}/send?key=K-OF-THE-ROBOT` });

  async function reasonOf(answer: Parameters<typeof openReceiver>[0]): Promise<string> {
    const other = await openReceiver(answer);
    try {
      const { status, stdout, stderr } = await tested(hook(other.url), '--json');
      expect(status).toBe(1);
      expect(stdout + stderr).not.toContain('K-OF-THE-ROBOT');
      return (JSON.parse(stdout) as { tried: { reason: string }[] }).tried[0]?.reason ?? '';
    } finally {
      await other.close();
    }
  }

  test('is told by what it says: a refusal within status 200, a status, no robot at all', async () => {
    expect(await reasonOf((_got, to) => to.end('{"errcode":93000,"errmsg":"invalid webhook url"}'))).toBe(
      'the robot took no message: errcode 93000 invalid webhook url',
    );
    expect(await reasonOf((_got, to) => to.writeHead(503).end())).toBe(
      'the receiver answered with status 503',
    );
    expect(await reasonOf((_got, to) => to.end('<html>'))).toBe(
      'the receiver’s answer is no JSON object: is this the address of a robot?',
    );
  });

  test('is not followed elsewhere, and not read beyond a few kilobytes', async () => {
    const redirect = await reasonOf((_got, to) =>
      to.writeHead(307, { location: `${receiver.url}/stolen` }).end(),
    );
    expect(redirect).toBe('the receiver answered with status 307: redirects are not followed');
    expect(receiver.received).toEqual([]);
    const endless = await reasonOf((_got, to) => {
      const pour = (): void => {
        while (to.write('x'.repeat(10_000)));
        to.once('drain', pour);
      };
      pour();
    });
    expect(endless).toBe('the receiver’s answer is no JSON object: is this the address of a robot?');
  });

  test('is given up after ten seconds of silence, whatever trickles in', async () => {
    const trickle = await reasonOf((_got, to) => {
      const timer = setInterval(() => to.write(' '), 200);
      to.on('close', () => clearInterval(timer));
    });
    expect(trickle).toBe('no answer within 10000 ms');
  });
});

test('a server without a certificate that is trusted is told nothing, whatever the environment says', async () => {
  const tls = await openMailServer({ isTls: true });
  const { port } = new URL(`tcp://${tls.url}`);
  const env = {
    ALERT_MAIL_URL: `smtps://robot:p%40ss%20word@localhost:${port}`,
    ALERT_MAIL_FROM: 'recon@company.example',
    ALERT_MAIL_TO: 'cfo@company.example',
    ALERT_WEBHOOK_URL: `https://localhost:${port}/hook`,
    ALERT_WEBHOOK_SECRET: 'shared-secret',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  };
  const { status, stdout } = await tested(env, '--json');
  const { tried } = JSON.parse(stdout) as { tried: { channel: string; reason: string }[] };
  expect(status).toBe(1);
  // That of this server is signed by nobody, and has expired too.
  expect(tried.map(({ channel, reason }) => `${channel}: ${reason}`)).toEqual([
    'webhook: the receiver cannot be reached: CERT_HAS_EXPIRED',
    'mail: the mail could not be sent (ESOCKET): certificate has expired',
  ]);
  expect(tls.mails).toEqual([]);
  await tls.close();
});

test('wrong settings are named together, and none of their secrets', async () => {
  const { status, stderr } = await tested({
    ALERT_WEBHOOK_URL: 'http://alerts.example/token-of-hook',
    ALERT_DINGTALK_URL: 'https://oapi.example/send?access_token=token-of-ding',
    ALERT_MAIL_URL: 'mail.example',
    ALERT_MAIL_TO: 'Boss <boss@company.example>',
    ALERT_COMMAND: '/nowhere/tell',
    ALERT_LATE_AT: '6 am',
    ALERT_GREN: 'yes',
  });
  expect(status).toBe(2);
  expect(faultsOf(stderr)).toEqual([
    'ALERT_GREN is not a setting (did you mean ALERT_GREEN?)',
    'ALERT_WEBHOOK_URL must be https (http is for this machine only)',
    'ALERT_WEBHOOK_SECRET is not set; ALERT_WEBHOOK_URL needs it',
    'ALERT_DINGTALK_SECRET is not set; ALERT_DINGTALK_URL needs it',
    'ALERT_MAIL_URL is not an address such as smtps://user:password@mail.example:465',
    'ALERT_MAIL_TO takes mail addresses by commas: "Boss <boss@company.example>"',
    'ALERT_MAIL_FROM is not set; mail needs it',
    'ALERT_COMMAND names no program that can be run: "/nowhere/tell" (there is no such file)',
    'ALERT_LATE_AT must be a time of day such as 06:00: "6 am"',
  ]);
  expect(stderr).not.toMatch(/token-of/);
});

test('without a channel nobody can be told, and a channel that is not set is named', async () => {
  const none = await tested({});
  expect([none.status, faultsOf(none.stderr)]).toEqual([
    2,
    ['no channel is set: ALERT_WEBHOOK_URL, ALERT_MAIL_URL and others say where alerts go'],
  ]);
  const other = await tested({ ALERT_WECOM_URL: receiver.url }, '--channel', 'mail');
  expect(faultsOf(other.stderr)).toEqual(['the channel mail is not set: ALERT_MAIL_… says where it goes']);
});
