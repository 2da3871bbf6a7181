/** An authority of our own and certificates that it signed, made by openssl in one folder. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

export interface Authority {
  /** Its own certificate: who is given this trusts it. */
  file: string;
  /** @param alternative as openssl has it: `IP:127.0.0.1`, `DNS:localhost` @returns the path, without `.crt` and `.key` */
  sign(name: string, alternative: string): string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];

export function authorityIn(folder: string): Authority {
  const request = (name: string, subject: string, ...more: readonly string[]): void => {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${subject}`];
    execFileSync('openssl', ['req', '-x509', ...KEY, ...files, ...more], { cwd: folder, stdio: 'pipe' });
  };
  request('ca', 'our own authority');
  return {
    file: path.join(folder, 'ca.crt'),
    sign(name, alternative) {
      request(name, name, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-addext', `subjectAltName=${alternative}`);
      return path.join(folder, name);
    },
  };
}
