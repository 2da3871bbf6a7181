/** The sources are read and compiled once for all processes of the tests, and for those that these start. */
import os from 'node:os';
import path from 'node:path';

export const COMPILED: string = path.join(os.tmpdir(), 'recon-test', 'compiled');
