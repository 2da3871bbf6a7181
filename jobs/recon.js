#!/usr/bin/env -S node --max-semi-space-size=8 --heap-growing-percent=200 --
/**
 * The executable: asks for the Node that the sources need, and goes on to them. JavaScript, because an older Node
 * cannot read the sources and would end with an error of its own. The dashes above keep Node from looking for the
 * file of our --env-file before we can say that it is missing. Left to itself Node lets rubbish grow to a hundred
 * megabytes before it looks, and then to four times what was left: kept to 16, and to three times, the peak is that much lower and
 * no work takes longer.
 */
import module from 'node:module';
import path from 'node:path';

const NODE_MAJOR = 24;
const WRONG_INPUT = 2;

const { node } = process.versions;
if (Number(node.split('.')[0]) >= NODE_MAJOR) {
  keepCompiled();
  resolveAtOnce();
  await import('./main.ts');
} else {
  process.stderr.write(
    `recon: needs Node ${NODE_MAJOR}, this is ${node}; "npm ci" brings it, and "npm exec recon --" runs on it\n`,
  );
  process.exitCode = WRONG_INPUT;
}

/**
 * Keeps what was compiled, so that the next start compiles nothing anew: in the user's own cache and not in the shared
 * temporary folder, where another user could put something else. Where it cannot be kept, nothing is lost but time.
 */
function keepCompiled() {
  const { XDG_CACHE_HOME: cache, HOME: home } = process.env;
  const folder = cache || (home && path.join(home, '.cache'));
  if (folder) module.enableCompileCache(path.join(folder, 'recon', 'compiled'));
}

/**
 * A relative import names its file: no other place is looked at for it. Half the time of a start went into asking the
 * disk, for each of some four hundred files, whether it is a link and which packages are above it.
 */
function resolveAtOnce() {
  module.registerHooks({
    resolve: (specifier, context, next) =>
      /^\.{1,2}\//.test(specifier) && context.conditions.includes('import')
        ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
        : next(specifier, context),
  });
}
