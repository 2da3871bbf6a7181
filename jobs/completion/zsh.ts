/** Completion for zsh, with what each word does. */
import type { CompletedCommand, Word } from './command-tree.ts';
import { inQuotes, pathsOf, valuesOf } from './shell-text.ts';

export function zshScript(tree: readonly CompletedCommand[]): string {
  return [
    '#compdef recon',
    '_recon() {',
    '  local at=recon i',
    '  local -a list',
    '  for ((i = 2; i < CURRENT; i++)); do',
    '    case "$at ${words[i]}" in',
    `      ${pathsOf(tree).map(inQuotes).join('|')}) at="$at \${words[i]}" ;;`,
    '    esac',
    '  done',
    '  case "$at ${words[CURRENT-1]}" in',
    ...valuesOf(tree).map(({ before, choices }) => {
      const completed = choices.length === 0 ? '_files' : `compadd -- ${choices.map(inQuotes).join(' ')}`;
      return `    ${before.map(inQuotes).join('|')}) ${completed}; return ;;`;
    }),
    '  esac',
    '  case "$at" in',
    ...tree.map((command) => `    ${inQuotes(command.path)}) list=(${listOf(command)}) ;;`),
    '  esac',
    "  _describe 'recon' list || _files",
    '}',
    'if [ "$funcstack[1]" = "_recon" ]; then _recon "$@"; else compdef _recon recon; fi',
    '',
  ].join('\n');
}

function listOf({ commands, options, choices }: CompletedCommand): string {
  const words: readonly Word[] = [...choices.map((word) => ({ word, says: word })), ...commands, ...options];
  return words.map(({ word, says }) => inQuotes(`${word.replaceAll(':', '\\:')}:${says}`)).join(' ');
}
