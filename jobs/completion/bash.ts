/** Completion for bash 3.2 and later: words of the command that was reached, files where anything may stand. */
import type { CompletedCommand } from './command-tree.ts';
import { inQuotes, pathsOf, valuesOf } from './shell-text.ts';

export function bashScript(tree: readonly CompletedCommand[]): string {
  const words = tree.map(({ path, commands, options, choices }) => {
    const all = [...commands, ...options].map(({ word }) => word);
    return `    ${inQuotes(path)}) words=${inQuotes([...choices, ...all].join(' '))} ;;`;
  });
  return [
    '# recon completion bash',
    '_recon() {',
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" at=recon words= i',
    '  COMPREPLY=()',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    '    case "$at ${COMP_WORDS[i]}" in',
    `      ${pathsOf(tree).map(inQuotes).join('|')}) at="$at \${COMP_WORDS[i]}" ;;`,
    '    esac',
    '  done',
    '  case "$at $prev" in',
    ...valuesOf(tree).map(({ before, choices }) =>
      choices.length === 0
        ? `    ${before.map(inQuotes).join('|')}) return ;;`
        : `    ${before.map(inQuotes).join('|')}) COMPREPLY=($(compgen -W ${inQuotes(choices.join(' '))} -- "$cur")); return ;;`,
    ),
    '  esac',
    '  case "$at" in',
    ...words,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    'complete -o default -F _recon recon',
    '',
  ].join('\n');
}
