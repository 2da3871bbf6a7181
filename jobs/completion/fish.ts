/** Completion for fish, with what each word does. */
import type { CompletedCommand } from './command-tree.ts';
import { pathsOf } from './shell-text.ts';

export function fishScript(tree: readonly CompletedCommand[]): string {
  return [
    '# recon completion fish',
    'function __recon_at',
    '  set -l at recon',
    '  for word in (commandline -opc)[2..-1]',
    '    switch "$at $word"',
    `      case ${pathsOf(tree).map(quoted).join(' ')}`,
    '        set at "$at $word"',
    '    end',
    '  end',
    '  test "$at" = "$argv[1]"',
    'end',
    ...tree.flatMap(linesOf),
    '',
  ].join('\n');
}

function linesOf({ path, commands, options, choices }: CompletedCommand): string[] {
  const at = `complete -c recon -n ${quoted(`__recon_at ${quoted(path)}`)}`;
  return [
    ...commands.map(({ word, says }) => `${at} -f -a ${word} -d ${quoted(says)}`),
    ...choices.map((word) => `${at} -f -a ${word}`),
    ...options.map(({ word, says, takesValue, choices: values }) => {
      const value = !takesValue ? '' : values.length === 0 ? ' -r' : ` -x -a ${quoted(values.join(' '))}`;
      return `${at} -l ${word.replace(/^--/, '')}${value} -d ${quoted(says)}`;
    }),
  ];
}

/** As fish reads a text that means nothing but itself. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
