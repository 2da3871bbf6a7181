/** A way to the tests' own PostgreSQL server over TLS. */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { serverUrl } from './database.ts';

/** Before the tests' own server, or before nothing: speaks TLS as PostgreSQL does and notes what came in the clear. */
export class TlsGate {
  readonly clear: string[] = [];
  secured = 0;
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();

  constructor(certificate: string | undefined) {
    this.#server = net.createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('data', (first) => {
        const isRequest = first.byteLength === 8 && first.readInt32BE(4) === 80_877_103;
        if (!isRequest) {
          this.clear.push(first.toString('latin1'));
          this.#pass(socket, first);
          return;
        }
        if (certificate === undefined) {
          socket.write('N');
          socket.once('data', (more) => this.clear.push(more.toString('latin1')));
          return;
        }
        socket.write('S');
        const secured = new tls.TLSSocket(socket, {
          isServer: true,
          cert: readFileSync(`${certificate}.crt`),
          key: readFileSync(`${certificate}.key`),
        });
        secured.on('error', () => socket.destroy());
        secured.on('secure', () => {
          this.secured += 1;
        });
        this.#pass(secured);
      });
    });
  }

  #pass(socket: net.Socket, first?: Buffer): void {
    if (serverUrl === undefined) return;
    const { hostname, port } = new URL(serverUrl);
    const behind = net.connect(Number(port || 5432), hostname);
    behind.on('error', () => socket.destroy());
    if (first !== undefined) behind.write(first);
    socket.pipe(behind).pipe(socket);
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '0.0.0.0', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
