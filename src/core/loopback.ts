/** Which addresses and names mean this very machine. */

const ADDRESS = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;
const HOST_HEADER = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** An address or name to listen on, or to speak to, that nobody else reaches. */
export function isLoopback(host: string): boolean {
  return ADDRESS.test(host);
}

/**
 * Whether a browser was told this machine's own name. A page reaches a loopback address also by a name that its owner
 * points here (DNS rebinding), and then shows that name.
 */
export function namesThisMachine(hostHeader: string): boolean {
  return HOST_HEADER.test(hostHeader);
}
