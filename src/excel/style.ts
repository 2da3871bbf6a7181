/**
 * The style table: every look a cell can have, by name. Sheets name a style and never build one, so that the
 * workbook holds few styles and each is made once (bench/workbook.ts).
 */
import type { Alignment, Borders, Fill, Font, Style } from 'exceljs';

/** How a verdict or a severity is coloured; the word always stands beside it. */
export type Tone = 'good' | 'notice' | 'bad' | 'unknown' | 'broken' | 'plain';

export type StyleName =
  | 'title'
  | 'subtitle'
  | 'section'
  | 'label'
  | 'note'
  | 'header'
  | 'headerRight'
  | 'text'
  | 'textWrap'
  | 'link'
  | 'money'
  | 'count'
  | 'index'
  | 'day'
  | 'time'
  | 'seconds'
  | 'line'
  | 'lineMoney'
  | 'labelWide'
  | 'lineWide'
  | 'totalWide'
  | 'blockHead'
  | 'totalText'
  | 'totalMoney'
  | 'totalCount'
  | 'check'
  | 'input'
  | 'signature'
  | `tone-${Tone}`
  | `banner-${Tone}`;

export const MONEY_FORMAT = '#,##0.00;[Red]-#,##0.00';
const TEXT_FORMAT = '@';

interface ToneColours {
  fill: string;
  ink: string;
  tab: string;
}

/** Fill, ink and tab as ARGB; dark ink on a light fill stays legible in grey print. */
export const TONES: Readonly<Record<Tone, ToneColours>> = {
  good: { fill: 'FFC6EFCE', ink: 'FF006100', tab: 'FF00B050' },
  notice: { fill: 'FFFFEB9C', ink: 'FF7F6000', tab: 'FFFFC000' },
  bad: { fill: 'FFFFC7CE', ink: 'FF9C0006', tab: 'FFC00000' },
  unknown: { fill: 'FFE4DFEC', ink: 'FF403151', tab: 'FF7030A0' },
  broken: { fill: 'FF595959', ink: 'FFFFFFFF', tab: 'FF404040' },
  plain: { fill: 'FFF2F2F2', ink: 'FF262626', tab: 'FF808080' },
};

const INK = 'FF262626';
const LINK_INK = 'FF0563C1';
const HAIR: Partial<Borders> = bordered('FFD9D9D9');
const FRAME: Partial<Borders> = bordered('FF8EA9DB');

function bordered(colour: string): Partial<Borders> {
  const side = { style: 'thin', color: { argb: colour } } as const;
  return { top: side, left: side, bottom: side, right: side };
}

/** Of cells over which one text runs: no line between them. */
function open({ top, bottom }: Partial<Borders>): Partial<Borders> {
  return { ...(top && { top }), ...(bottom && { bottom }) };
}

function filled(argb: string): Fill {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb } };
}

type LooksOf = Readonly<Record<StyleName, Partial<Style>>>;

/** The looks in a font that has the language's characters. */
export function styleTable(fontName: string): LooksOf {
  const font = (more: Partial<Font> = {}): Partial<Font> => ({
    name: fontName,
    size: 10,
    color: { argb: INK },
    ...more,
  });
  return { ...plainStyles(font), ...headStyles(font), ...toneStyles(font) };
}

type FontOf = (more?: Partial<Font>) => Partial<Font>;

const MIDDLE: Partial<Alignment> = { vertical: 'middle' };
/** Smaller where it is wider than its column, whose first rows alone are measured: a number that is cut is shown as ####. */
const NUMBER: Partial<Alignment> = { ...MIDDLE, shrinkToFit: true };
/** A little room between a number and the text to its right. */
const INDENTED: Partial<Alignment> = { vertical: 'middle', horizontal: 'left', indent: 1 };
const WRAP: Partial<Alignment> = { ...INDENTED, wrapText: true };
const RIGHT: Partial<Alignment> = { vertical: 'middle', horizontal: 'right' };
const CENTRE: Partial<Alignment> = { vertical: 'middle', horizontal: 'center' };

type PlainName = Exclude<StyleName, HeadName | `tone-${Tone}` | `banner-${Tone}`>;

function plainStyles(font: FontOf): Record<PlainName, Partial<Style>> {
  const cell = { font: font(), border: HAIR, alignment: MIDDLE };
  const total = { font: font({ bold: true }), border: FRAME, fill: filled('FFF2F2F2'), alignment: MIDDLE };
  return {
    text: { ...cell, numFmt: TEXT_FORMAT, alignment: INDENTED },
    textWrap: { ...cell, numFmt: TEXT_FORMAT, alignment: WRAP },
    link: { ...cell, font: font({ color: { argb: LINK_INK }, underline: true }), alignment: INDENTED },
    money: { ...cell, numFmt: MONEY_FORMAT, alignment: NUMBER },
    count: { ...cell, numFmt: '#,##0', alignment: NUMBER },
    index: { ...cell, numFmt: '0', alignment: CENTRE },
    day: { ...cell, numFmt: 'yyyy-mm-dd', alignment: CENTRE },
    time: { ...cell, numFmt: 'yyyy-mm-dd hh:mm:ss', alignment: CENTRE },
    seconds: { ...cell, numFmt: '#,##0.000' },
    line: { ...cell, numFmt: TEXT_FORMAT, alignment: INDENTED },
    lineMoney: { ...cell, numFmt: MONEY_FORMAT, alignment: NUMBER },
    labelWide: { ...cell, border: open(HAIR), font: font({ bold: true }), numFmt: TEXT_FORMAT },
    lineWide: { ...cell, border: open(HAIR), numFmt: TEXT_FORMAT, alignment: INDENTED },
    totalWide: { ...total, border: open(FRAME), numFmt: TEXT_FORMAT },
    totalText: { ...total, numFmt: TEXT_FORMAT },
    totalMoney: { ...total, numFmt: MONEY_FORMAT, alignment: NUMBER },
    totalCount: { ...total, numFmt: '#,##0', alignment: NUMBER },
    check: { ...total, alignment: CENTRE },
    input: { ...cell, numFmt: TEXT_FORMAT, fill: filled('FFFFFBE6'), alignment: WRAP },
    signature: {
      font: font(),
      alignment: { vertical: 'bottom' },
      border: { bottom: { style: 'thin', color: { argb: INK } } },
    },
  };
}

type HeadName = 'title' | 'subtitle' | 'section' | 'label' | 'note' | 'header' | 'headerRight' | 'blockHead';

function headStyles(font: FontOf): Record<HeadName, Partial<Style>> {
  const header = {
    font: font({ bold: true, color: { argb: 'FF1F3864' } }),
    fill: filled('FFD9E2F3'),
    border: FRAME,
    numFmt: TEXT_FORMAT,
  };
  return {
    title: { font: font({ bold: true, size: 16, color: { argb: 'FF1F3864' } }), alignment: MIDDLE },
    subtitle: { font: font({ color: { argb: 'FF595959' } }), alignment: MIDDLE },
    section: { font: font({ bold: true, size: 12, color: { argb: 'FF1F3864' } }), alignment: MIDDLE },
    label: { font: font({ bold: true }), border: HAIR, alignment: MIDDLE, numFmt: TEXT_FORMAT },
    note: { font: font({ italic: true, color: { argb: 'FF595959' } }), alignment: MIDDLE },
    header: { ...header, alignment: { ...CENTRE, wrapText: true } },
    headerRight: { ...header, alignment: { ...RIGHT, wrapText: true } },
    blockHead: { ...header, border: open(FRAME), alignment: MIDDLE },
  };
}

function toneStyles(font: FontOf): Record<`tone-${Tone}` | `banner-${Tone}`, Partial<Style>> {
  const looks: Partial<Record<`tone-${Tone}` | `banner-${Tone}`, Partial<Style>>> = {};
  for (const tone of Object.keys(TONES) as Tone[]) {
    const { fill, ink } = TONES[tone];
    const base = { fill: filled(fill), numFmt: TEXT_FORMAT };
    looks[`tone-${tone}`] = {
      ...base,
      border: HAIR,
      alignment: INDENTED,
      font: font({ bold: true, color: { argb: ink } }),
    };
    looks[`banner-${tone}`] = {
      ...base,
      alignment: { ...MIDDLE, indent: 1 },
      font: font({ bold: true, size: 18, color: { argb: ink } }),
    };
  }
  return looks as Record<`tone-${Tone}` | `banner-${Tone}`, Partial<Style>>;
}

/** The fill of a check that failed, put on by a conditional format so that it follows the formula. */
export const FAILED_LOOK: Partial<Style> = {
  font: { bold: true, color: { argb: TONES.bad.ink } },
  fill: { type: 'pattern', pattern: 'solid', bgColor: { argb: TONES.bad.fill } },
};
