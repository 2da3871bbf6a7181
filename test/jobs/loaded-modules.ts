/** Preloaded into a process: at its end, the addresses of all files that it has loaded stand in a file, one a line. */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) loaded.add(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env['LOADED_MODULES_TO'] ?? '', [...loaded].join('\n')));
