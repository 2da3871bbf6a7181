/**
 * A small strict XML reader: what it accepts is well-formed, and what it cannot accept it throws on. It exists
 * so that workbooks are checked by other code than wrote them.
 */

export interface Element {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: (Element | string)[];
}

const TAG = /<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
const DECLARATION = /^<\?xml[^?]*\?>\s*/;
const ENTITY = /&(?:#x([0-9a-fA-F]+)|#(\d+)|(amp|lt|gt|quot|apos));/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** XML 1.0, production 2, and an ampersand that begins no entity. */
// oxlint-disable-next-line eslint/no-control-regex -- the characters XML forbids
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** @throws Error that says where the text stops being XML */
export function parseXml(text: string): Element {
  const body = text.replace(DECLARATION, '');
  if (ILLEGAL.test(body) || !body.isWellFormed()) throw new Error('a character that XML cannot hold');
  const root: Element = { name: '', attributes: new Map(), children: [] };
  const open = [root];
  for (let at = 0; at < body.length;) {
    const next = body.indexOf('<', at);
    const parent = open.at(-1);
    if (!parent) throw new Error(`too many ends at ${at}`);
    const characters = body.slice(at, next < 0 ? body.length : next);
    if (characters !== '') parent.children.push(decode(characters));
    if (next < 0) break;
    at = readTag(body, next, open);
  }
  const [top, ...rest] = root.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  if (open.length !== 1 || typeof top !== 'object' || rest.length > 0)
    throw new Error('not one whole element');
  return top;
}

function readTag(body: string, start: number, open: Element[]): number {
  TAG.lastIndex = start;
  const tag = TAG.exec(body);
  if (!tag) throw new Error(`not a tag: ${body.slice(start, start + 60)}`);
  const [whole, ends = '', name = '', attributes = '', isEmpty = ''] = tag;
  if (ends === '/') {
    if (open.pop()?.name !== name) throw new Error(`${name} ends what it did not begin`);
  } else {
    const element = { name, attributes: readAttributes(attributes), children: [] };
    open.at(-1)?.children.push(element);
    if (isEmpty === '') open.push(element);
  }
  return start + whole.length;
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new Error(`${name} stands twice`);
    attributes.set(name, decode(double ?? single ?? ''));
  }
  return attributes;
}

function decode(text: string): string {
  if (text.replace(ENTITY, '').includes('&')) throw new Error(`a bare ampersand: ${text.slice(0, 60)}`);
  return text.replace(ENTITY, (_whole, hex?: string, decimal?: string, name?: string) =>
    name === undefined
      ? String.fromCodePoint(Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16))
      : (NAMED[name] ?? ''),
  );
}

/** All elements of that name, at any depth. */
export function findAll(element: Element, name: string): Element[] {
  return element.children.flatMap((child) =>
    typeof child === 'string' ? [] : [...(child.name === name ? [child] : []), ...findAll(child, name)],
  );
}

export function textOf(element: Element): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}
