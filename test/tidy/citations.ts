/**
 * What documents and comments cite: documents with their sections, files and folders of the code, numbers of
 * requirements. Each has to be found by whoever follows it.
 */
import { dirname, extname, normalize } from 'node:path';

/** A document, or a source of which only the comments are read. */
export interface Citing {
  path: string;
  text: string;
}

/** What there is to be cited. */
export interface Library {
  /** Every file of the project, from its root. */
  paths: ReadonlySet<string>;
  read: (path: string) => string;
}

/** Lines that belong together, joined, because a citation may be broken over two of them. */
interface Passage {
  line: number;
  text: string;
}

/** Where a line is a comment, or ends with one. */
const COMMENT: Readonly<Record<string, RegExp>> = {
  '.ts': /(?:^\s*(?:\/\*\*?|\*\/?|\/\/)|\s\/\/\s)(?<text>.*)$/,
  '.sql': /--(?<text>.*)$/,
  '.sh': /(?:^|\s)#(?!!)(?<text>.*)$/,
};

/** Items of a list, rows of a table, headings. */
const BEGINS = /^(?:[-*] |\d+\. |\||#)/;

function passagesOf({ path, text }: Citing): Passage[] {
  const passages: Passage[] = [];
  let last: Passage | undefined;
  for (const [at, line] of text.split('\n').entries()) {
    const said = saidIn(path, line).trim();
    if (said === '') last = undefined;
    else if (last === undefined || BEGINS.test(said)) passages.push((last = { line: at + 1, text: said }));
    else last.text += ` ${said}`;
  }
  return passages;
}

function saidIn(path: string, line: string): string {
  const comment = COMMENT[extname(path)];
  return comment === undefined ? line : (comment.exec(line)?.groups?.['text'] ?? '').replace(/\*\/\s*$/, '');
}

/** Addresses of other places, and names that stand for any. */
const ELSEWHERE = /https?:\/\/\S+|<[^<>\n]*>/g;
const LINK = /\]\((?<target>[^()\s]+)\)/g;
const FOLDERS = String.raw`(?:\.?\w[\w.-]*\/)*`;
const BEFORE = String.raw`(?<![\w/.*-])`;
const DOCUMENT = new RegExp(
  String.raw`${BEFORE}(?<file>${FOLDERS}[\w-]+\.md)(?!\w)(?:[ ,]+(?<section>\d+(?:\.\d+)*))?`,
  'g',
);
const SOURCE = new RegExp(String.raw`${BEFORE}(?<file>${FOLDERS}\w[\w.-]*\.(?:ts|sql|sh))(?![\w/*-])`, 'g');
const FOLDER = /(?<![\w/.*-])(?<file>(?:src|jobs|test|bench|migrations|docs)\/(?:[\w-]+\/)*)(?![\w.*{-])/g;

/** Findings are `path:line what`. */
export function brokenCitations(citing: Citing, library: Library): string[] {
  return passagesOf(citing).flatMap(({ line, text }) => {
    const here = text.replace(ELSEWHERE, ' ');
    const prose = here.replace(LINK, ' ');
    const broken = [
      ...(citing.path.endsWith('.md') ? brokenLinks(citing.path, here, library) : []),
      ...brokenDocuments(citing.path, prose, library),
      ...namesIn(prose, SOURCE).filter((end) => !endsOne(library, end)),
      ...namesIn(prose, FOLDER).filter((folder) => !isFolder(library, folder)),
    ];
    return broken.map((what) => `${citing.path}:${line} ${what}`);
  });
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(({ groups }) => groups?.['file'] ?? '');
}

/** Comments name documents from the root; documents name each other from where they lie, too. */
function brokenDocuments(from: string, text: string, { paths, read }: Library): string[] {
  return [...text.matchAll(DOCUMENT)].flatMap(({ groups }) => {
    const { file = '', section } = groups ?? {};
    const beside = from.endsWith('.md') ? normalize(`${dirname(from)}/${file}`) : file;
    const path = [file, beside].find((name) => paths.has(name));
    if (path === undefined) return [file];
    return section === undefined || sectionsOf(read(path)).has(section) ? [] : [`${file} ${section}`];
  });
}

/** Files of the code are named from the root, or by the end of their path: `core/fen.ts`. */
function endsOne({ paths }: Library, end: string): boolean {
  return paths.has(end) || [...paths].some((path) => path.endsWith(`/${end}`));
}

function isFolder({ paths }: Library, folder: string): boolean {
  const within = folder.endsWith('/') ? folder : `${folder}/`;
  return [...paths].some((path) => path.startsWith(within));
}

function brokenLinks(from: string, text: string, library: Library): string[] {
  return [...text.matchAll(LINK)].flatMap(({ groups }) => {
    const [file = '', heading] = (groups?.['target'] ?? '').split('#');
    const target = file === '' ? from : normalize(`${dirname(from)}/${file}`);
    if (!library.paths.has(target)) return isFolder(library, target) ? [] : [target];
    return heading === undefined || anchorsOf(library.read(target)).has(heading)
      ? []
      : [`${target}#${heading}`];
  });
}

function headingsOf(text: string): string[] {
  return text.split('\n').flatMap((line) => /^#{1,6} (?<title>.*)$/.exec(line)?.groups?.['title'] ?? []);
}

/** `## 3. The night` and `### 3.1 Verdicts` are cited as 3 and 3.1, the second point of a list below `## 6.` as 6.2. */
function sectionsOf(text: string): Set<string> {
  const sections = new Set<string>();
  let section = '';
  for (const line of text.split('\n')) {
    const heading = /^#{1,6} (?<number>\d+(?:\.\d+)*)?/.exec(line);
    if (heading !== null) section = heading.groups?.['number'] ?? '';
    const point = /^(?<point>\d+)\. /.exec(line)?.groups?.['point'];
    if (section !== '') sections.add(point === undefined ? section : `${section}.${point}`);
  }
  return sections;
}

/** As a reader of Markdown makes them. */
function anchorsOf(text: string): Set<string> {
  const plain = headingsOf(text).map((title) => title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, ''));
  return new Set(plain.map((title) => title.replaceAll(' ', '-')));
}

const AREAS = 'ENV|SIG|OPN|CHG|ACC|DIV|REF|WDR|DEP|VCH|STL|SMS|EVT|ERR|LIM|VER';
const NUMBER = new RegExp(String.raw`(?<![\w-])(?:(?:${AREAS})-F?\d\d|[UNPHIMS]\d{1,2})(?![\w-])`, 'g');

/** Numbers of requirements that are cited and not stated. */
export function unstatedNumbers(citing: Citing, stated: ReadonlySet<string>): string[] {
  return passagesOf(citing).flatMap(({ line, text }) =>
    [...text.matchAll(NUMBER)]
      .filter(([number]) => !stated.has(number))
      .map(([number]) => `${citing.path}:${line} ${number}`),
  );
}

/** The numbers that docs/requirements.md states, each in an item of its own. */
export function statedNumbers(requirements: string): Set<string> {
  return new Set([...requirements.matchAll(/^- \*\*([A-Z]+-?F?\d+)\*\*/gm)].map(([, number = '']) => number));
}
