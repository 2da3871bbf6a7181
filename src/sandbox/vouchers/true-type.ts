/**
 * Just enough of a TrueType font to set text with a few of its glyphs: which glyph a character has, how wide it
 * is, and a font of those glyphs alone. Pure and synchronous, so that a slip is made while its call is answered.
 */

interface Table {
  tag: string;
  bytes: Buffer;
}

/** Flags of the parts of a glyph that is put together from others. */
const [WORDS, SCALE, MORE, TWO_SCALES, FOUR_SCALES] = [0x01, 0x08, 0x20, 0x40, 0x80];

export class TrueType {
  readonly #bytes: Buffer;
  readonly #tables: ReadonlyMap<string, Buffer>;
  readonly #groups: Buffer;
  readonly #longOffsets: boolean;
  readonly #metrics: number;
  readonly #found = new Map<number, number>();
  readonly unitsPerEm: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#tables = new Map(
      Array.from({ length: bytes.readUInt16BE(4) }, (_, place) => this.#tableAt(12 + 16 * place)),
    );
    const head = this.table('head');
    this.unitsPerEm = head.readUInt16BE(18);
    this.#longOffsets = head.readUInt16BE(50) === 1;
    this.#metrics = this.table('hhea').readUInt16BE(34);
    this.#groups = this.#unicodeGroups();
  }

  #tableAt(at: number): [string, Buffer] {
    const begin = this.#bytes.readUInt32BE(at + 8);
    const length = this.#bytes.readUInt32BE(at + 12);
    return [this.#bytes.toString('latin1', at, at + 4), this.#bytes.subarray(begin, begin + length)];
  }

  /** @throws Error when the font has none, which no font we ship lacks */
  table(tag: string): Buffer {
    const table = this.#tables.get(tag);
    if (!table) throw new Error(`Bug: the font has no table ${tag}`);
    return table;
  }

  /** The groups of the map of all characters (format 12). */
  #unicodeGroups(): Buffer {
    const cmap = this.table('cmap');
    for (let place = 0; place < cmap.readUInt16BE(2); place++) {
      const map = cmap.subarray(cmap.readUInt32BE(4 + 8 * place + 4));
      if (map.readUInt16BE(0) === 12) return map.subarray(16, 16 + 12 * map.readUInt32BE(12));
    }
    throw new Error('Bug: the font maps no characters beyond 65535');
  }

  /** 0 where the font does not have it. */
  glyphOf(codePoint: number): number {
    const known = this.#found.get(codePoint);
    if (known !== undefined) return known;
    const glyph = this.#search(codePoint);
    this.#found.set(codePoint, glyph);
    return glyph;
  }

  #search(codePoint: number): number {
    let [low, high] = [0, this.#groups.length / 12];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#groups.readUInt32BE(12 * middle + 4) < codePoint) low = middle + 1;
      else high = middle;
    }
    if (12 * low >= this.#groups.length) return 0;
    const first = this.#groups.readUInt32BE(12 * low);
    return first > codePoint ? 0 : this.#groups.readUInt32BE(12 * low + 8) + codePoint - first;
  }

  /** In thousandths of the size. */
  advanceOf(glyph: number): number {
    const at = 4 * Math.min(glyph, this.#metrics - 1);
    return Math.round((this.table('hmtx').readUInt16BE(at) * 1_000) / this.unitsPerEm);
  }

  #sideBearingOf(glyph: number): number {
    const beyond = glyph - this.#metrics;
    const at = beyond < 0 ? 4 * glyph + 2 : 4 * this.#metrics + 2 * beyond;
    return this.table('hmtx').readInt16BE(at);
  }

  #outlineOf(glyph: number): Buffer {
    const loca = this.table('loca');
    const offset = (place: number): number =>
      this.#longOffsets ? loca.readUInt32BE(4 * place) : 2 * loca.readUInt16BE(2 * place);
    return this.table('glyf').subarray(offset(glyph), offset(glyph + 1));
  }

  /**
   * A font that has glyph 0 and these, numbered 1, 2, 3 … in the order given, with what they are put together
   * from behind them. Only the tables a PDF needs.
   */
  subset(glyphs: readonly number[]): Buffer {
    const kept = [0, ...glyphs];
    const numbers = new Map(kept.map((glyph, number) => [glyph, number]));
    const outlines: Buffer[] = [];
    for (let number = 0; number < kept.length; number++) {
      const outline = Buffer.from(this.#outlineOf(kept[number] ?? 0));
      for (const at of partsOf(outline)) {
        const part = outline.readUInt16BE(at);
        if (!numbers.has(part)) numbers.set(part, kept.push(part) - 1);
        outline.writeUInt16BE(numbers.get(part) ?? 0, at);
      }
      outlines.push(padded(outline));
    }
    return fontFile([
      ...this.#headers(kept.length),
      { tag: 'hmtx', bytes: this.#metricsOf(kept) },
      ...outlineTables(outlines),
    ]);
  }

  /** The tables that say how many glyphs there are and how they are stored. */
  #headers(count: number): Table[] {
    const [head, hhea, maxp] = [this.table('head'), this.table('hhea'), this.table('maxp')].map((table) =>
      Buffer.from(table),
    ) as [Buffer, Buffer, Buffer];
    head.writeUInt32BE(0, 8);
    head.writeUInt16BE(1, 50);
    hhea.writeUInt16BE(count, 34);
    maxp.writeUInt16BE(count, 4);
    return [
      { tag: 'head', bytes: head },
      { tag: 'hhea', bytes: hhea },
      { tag: 'maxp', bytes: maxp },
    ];
  }

  #metricsOf(kept: readonly number[]): Buffer {
    const metrics = Buffer.alloc(4 * kept.length);
    const hmtx = this.table('hmtx');
    for (const [number, glyph] of kept.entries()) {
      metrics.writeUInt16BE(hmtx.readUInt16BE(4 * Math.min(glyph, this.#metrics - 1)), 4 * number);
      metrics.writeInt16BE(this.#sideBearingOf(glyph), 4 * number + 2);
    }
    return metrics;
  }
}

/** Where an outline names the glyphs it is put together from; none where it is drawn itself. */
function partsOf(outline: Buffer): number[] {
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return [];
  const places: number[] = [];
  let [at, flags] = [10, MORE];
  while ((flags & MORE) !== 0) {
    flags = outline.readUInt16BE(at);
    places.push(at + 2);
    at += 4 + ((flags & WORDS) === 0 ? 2 : 4);
    if ((flags & SCALE) !== 0) at += 2;
    else if ((flags & TWO_SCALES) !== 0) at += 4;
    else if ((flags & FOUR_SCALES) !== 0) at += 8;
  }
  return places;
}

function outlineTables(outlines: readonly Buffer[]): Table[] {
  const loca = Buffer.alloc(4 * (outlines.length + 1));
  let end = 0;
  for (const [number, outline] of outlines.entries()) {
    end += outline.length;
    loca.writeUInt32BE(end, 4 * (number + 1));
  }
  return [
    { tag: 'loca', bytes: loca },
    { tag: 'glyf', bytes: Buffer.concat(outlines) },
  ];
}

/** Tables begin at multiples of four bytes. */
function padded(bytes: Buffer): Buffer {
  return bytes.length % 4 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - (bytes.length % 4))]);
}

function fontFile(tables: readonly Table[]): Buffer {
  const sorted = tables.toSorted((a, b) => (a.tag < b.tag ? -1 : 1));
  const directory = Buffer.alloc(12 + 16 * sorted.length);
  const powers = Math.floor(Math.log2(sorted.length));
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(sorted.length, 4);
  directory.writeUInt16BE(16 * 2 ** powers, 6);
  directory.writeUInt16BE(powers, 8);
  directory.writeUInt16BE(16 * (sorted.length - 2 ** powers), 10);
  let begin = directory.length;
  for (const [place, { tag, bytes }] of sorted.entries()) {
    directory.write(tag, 12 + 16 * place, 'latin1');
    directory.writeUInt32BE(checkSum(padded(bytes)), 12 + 16 * place + 4);
    directory.writeUInt32BE(begin, 12 + 16 * place + 8);
    directory.writeUInt32BE(bytes.length, 12 + 16 * place + 12);
    begin += padded(bytes).length;
  }
  return Buffer.concat([directory, ...sorted.map(({ bytes }) => padded(bytes))]);
}

function checkSum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}
