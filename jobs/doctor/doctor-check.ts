/** One line of `recon doctor`. */
export interface Check {
  name: string;
  /** `warn`: a night works, but a person should know. */
  state: 'ok' | 'warn' | 'fail';
  detail: string;
}
