/** What can be downloaded: workbooks and results of the latest runs, or of the day that was chosen. */
import path from 'node:path';
import type { NightFile } from '../../../src/store/runs/night-calendar.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { hasContentType } from '../page-files.ts';
import type { PageData } from '../read-page.ts';
import type { FileKind, PageWords } from '../words/page-words.ts';
import { badge, card } from './frame.ts';
import type { Drawing } from './frame.ts';

export function filesPart({ words }: Drawing, { files, chosen }: PageData): Html {
  const title = chosen === undefined ? words.filesTitle : words.filesOf(chosen.day);
  const offered = files.filter((file) => hasContentType(path.basename(file.path)));
  if (offered.length === 0) return card({ id: 'files', title }, html`<p class="calm">${words.filesNone}</p>`);
  const runs = [...new Set(offered.map(({ runId }) => runId))];
  return card(
    { id: 'files', title },
    html`<ul class="runs">
      ${runs.map((runId) =>
        runOf(
          words,
          offered.filter((file) => file.runId === runId),
        ),
      )}
    </ul>`,
  );
}

function runOf(words: PageWords, files: readonly NightFile[]): Html | false {
  const [first] = files;
  if (first === undefined) return false;
  const { job, from, to, version, verdict, isSuperseded } = first;
  const days = words.terms.common.period({ from, to });
  return html`<li>
    <p>
      <b>${days}</b> ${words.terms.jobs[job]} ·
      ${words.versionOf(version)}${isSuperseded && html` · ${words.superseded}`} ${badge(words, verdict)}
    </p>
    <ul class="files">
      ${files.toSorted((left, right) => order(left) - order(right)).map((file) => link(words, file))}
    </ul>
  </li>`;
}

function link(words: PageWords, { runId, path: file, bytes }: NightFile): Html {
  const name = path.basename(file);
  const href = `/files/${encodeURIComponent(runId)}/${encodeURIComponent(name)}`;
  return html`<li>
    <a href="${href}" download title="${name}"
      >${words.fileKinds[kindOf(name)]} <small>${path.extname(name).slice(1)}, ${sizeText(bytes)}</small
      ><span class="hidden"> ${name}</span></a
    >
  </li>`;
}

const KINDS: readonly FileKind[] = ['workbook', 'result', 'manifest', 'other'];

function order({ path: file }: NightFile): number {
  return KINDS.indexOf(kindOf(path.basename(file)));
}

function kindOf(name: string): FileKind {
  if (name.endsWith('.xlsx')) return 'workbook';
  if (name === 'result.json') return 'result';
  return name === 'manifest.json' ? 'manifest' : 'other';
}

function sizeText(bytes: bigint): string {
  const kilobytes = Number(bytes) / 1_000;
  return kilobytes < 1_000
    ? `${Math.max(1, Math.round(kilobytes))} kB`
    : `${(kilobytes / 1_000).toFixed(1)} MB`;
}
