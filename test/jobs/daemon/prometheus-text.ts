/**
 * The text format of Prometheus (0.0.4) read by its rules, every one of them: what a scraper would refuse, or would take
 * for something else, is a fault here.
 */

export interface Sample {
  labels: Readonly<Record<string, string>>;
  value: number;
}

export interface Family {
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  samples: Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"/y;
const VALUE = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i;

/** @throws Error with the first line that breaks a rule */
export function parsePrometheusText(text: string): Family[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const families: Family[] = [];
  const seen = new Set<string>();
  let help: { name: string; text: string } | undefined;
  for (const line of text.split('\n')) {
    const fault = (why: string): Error => new Error(`${why}: ${line}`);
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (comment !== null) {
      const [, word = '', name = '', rest = ''] = comment;
      if (!NAME.test(name)) throw fault('no name of a metric');
      if (word === 'HELP') {
        if (rest.trim() === '') throw fault('a metric without a word about it');
        help = { name, text: rest };
        continue;
      }
      if (rest !== 'counter' && rest !== 'gauge') throw fault('a type that is not used here');
      if (help?.name !== name) throw fault('HELP does not stand before TYPE');
      if (families.some((family) => family.name === name)) throw fault('a metric that is declared twice');
      families.push({ name, help: help.text, type: rest, samples: [] });
      continue;
    }
    if (line.startsWith('#')) throw fault('a comment that says nothing to a scraper');
    const { name, sample, key } = parseSample(line, fault);
    const family = families.at(-1);
    if (family?.name !== name) throw fault('a sample apart from its metric');
    if (seen.has(key)) throw fault('a series that is there twice');
    if (family.type === 'counter' && !(sample.value >= 0)) throw fault('a counter below zero');
    seen.add(key);
    family.samples.push(sample);
  }
  return families;
}

function parseSample(
  line: string,
  fault: (why: string) => Error,
): { name: string; sample: Sample; key: string } {
  const head = /^([^{\s]+)(?:\{(.*)\})? (\S+)$/.exec(line);
  if (head === null) throw fault('no sample');
  const [, name = '', inside = '', value = ''] = head;
  if (!NAME.test(name)) throw fault('no name of a metric');
  if (!VALUE.test(value)) throw fault('no value');
  const labels: Record<string, string> = {};
  for (let at = 0; at < inside.length;) {
    LABEL.lastIndex = at;
    const label = LABEL.exec(inside);
    if (label === null) throw fault('no label');
    const [whole, key = '', text = ''] = label;
    if (Object.hasOwn(labels, key) || key.startsWith('__')) throw fault('a label that may not be there');
    labels[key] = text;
    at += whole.length;
    if (at < inside.length && inside[at++] !== ',') throw fault('labels that are not apart');
  }
  const key = `${name} ${JSON.stringify(labels, Object.keys(labels).toSorted())}`;
  return { name, sample: { labels, value: Number(value.replace(/Inf$/i, 'Infinity')) }, key };
}
