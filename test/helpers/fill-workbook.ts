/** Fills in cells of a workbook that we wrote, as a spreadsheet program saves them: its XML is edited and packed again. */
import { readFile, writeFile } from 'node:fs/promises';
import { makeArchive } from '../intake/make-archive.ts';
import { readWorkbook, unzip } from './read-workbook.ts';

/** A text, a number, a formula with its stored result, or nothing. */
export type Filling = string | number | { formula: string; result: string } | null;

/** Writes a copy with these cells of the sheet, by address (`R7`). */
export async function fillCells(
  from: string,
  to: string,
  { sheet, cells }: { sheet: string; cells: Readonly<Record<string, Filling>> },
): Promise<string> {
  return editSheet(from, to, {
    sheet,
    edit: (xml) => {
      const wanted = new Map(Object.entries(cells));
      const filled = xml.replace(
        /<c r="([A-Z]+\d+)"([^>]*?)(?:\/>|>.*?<\/c>)/gs,
        (whole, address: string, rest: string) => {
          const filling = wanted.get(address);
          if (filling === undefined) return whole;
          wanted.delete(address);
          return cellXml(address, rest.replace(/ t="\w+"/, ''), filling);
        },
      );
      if (wanted.size > 0) throw new Error(`no cells ${[...wanted.keys()].join(', ')}`);
      return filled;
    },
  });
}

function cellXml(address: string, style: string, filling: Filling): string {
  const open = `<c r="${address}"${style}`;
  if (filling === null) return `${open}/>`;
  if (typeof filling === 'number') return `${open}><v>${filling}</v></c>`;
  if (typeof filling === 'string')
    return `${open} t="inlineStr"><is><t xml:space="preserve">${escaped(filling)}</t></is></c>`;
  return `${open} t="str"><f>${escaped(filling.formula)}</f><v>${escaped(filling.result)}</v></c>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Writes a copy with the XML of that sheet edited. */
export async function editSheet(
  from: string,
  to: string,
  { sheet, edit }: { sheet: string; edit: (xml: string) => string },
): Promise<string> {
  const { sheets } = await readWorkbook(from);
  const at = sheets.findIndex(({ name }) => name === sheet);
  if (at < 0) throw new Error(`no sheet ${sheet}`);
  return editParts(from, to, (name, xml) => (name === `xl/worksheets/sheet${at + 1}.xml` ? edit(xml) : xml));
}

/** Writes a copy with every part edited. */
export async function editParts(
  from: string,
  to: string,
  edit: (name: string, xml: string) => string,
): Promise<string> {
  const parts = [...unzip(await readFile(from))].map(([name, body]) => [
    name,
    edit(name, body.toString('utf8')),
  ]);
  await writeFile(to, makeArchive(Object.fromEntries(parts) as Record<string, string>));
  return to;
}
