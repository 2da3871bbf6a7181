/** Receivers of alerts: a real HTTP server and a real mail server on this machine, with what they got. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Received {
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  close(): Promise<void>;
}

/** Answers what a robot answers, unless told otherwise. */
export async function openReceiver(
  answer: (got: Received, response: ServerResponse) => void = (_got, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end('{"errcode":0,"errmsg":"ok","code":0,"msg":"success"}');
  },
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://localhost');
      const got = { path: url.pathname, query: url.searchParams, headers: request.headers, body };
      received.push(got);
      answer(got, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface Mail {
  from: string;
  to: string[];
  /** As it came over the wire. */
  raw: string;
}

export interface MailServer {
  url: string;
  mails: Mail[];
  close(): Promise<void>;
}

/** @param isTls from the first byte, with a certificate that nobody trusts */
export async function openMailServer({ isTls = false } = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    secure: isTls,
    hideSTARTTLS: true,
    onAuth: (auth, _session, done) => {
      if (auth.username === 'robot' && auth.password === 'p@ss word') done(null, { user: auth.username });
      else done(new Error('wrong password'));
    },
    onData: (stream, session, done) => {
      let raw = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => (raw += chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
        });
        done();
      });
    },
  });
  // Who hangs up is no fault of the server.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `127.0.0.1:${port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** `=?UTF-8?B?…?=` and what a body is encoded in, as mail programs show it. */
export function shownMail({ raw }: Mail): { subject: string; text: string; attachments: string[] } {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const unfolded = head.replaceAll(/\r\n(?=[ \t])/g, '').replaceAll(/\?=\s+=\?/g, '?==?');
  const words = /^Subject: (.*)$/m.exec(unfolded)?.[1] ?? '';
  const subject = words
    .replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_all, text: string) => Buffer.from(text, 'base64').toString())
    .replaceAll(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_all, text: string) => quotedText(text.replaceAll('_', ' ')));
  const attachments = [...raw.matchAll(/^Content-Disposition: attachment; filename="?([^"\r\n]+)"?/gm)].map(
    ([, name]) => name ?? '',
  );
  const body = rest.join('\r\n\r\n');
  const encoded = /base64[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(raw)?.[1];
  const text = encoded === undefined ? quotedText(body) : Buffer.from(encoded, 'base64').toString();
  return { subject, text, attachments };
}

function quotedText(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
