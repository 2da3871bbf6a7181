/**
 * Charts over cells as parts of the package: people can restyle them, and they follow the cells. The values of the
 * cells are kept beside, for viewers that do not read them.
 */
import type { Day } from '../core/time.ts';
import { daySerial } from './serial.ts';
import { escapeText } from './text.ts';

export interface ChartSeries {
  name: { reference: string; text: string };
  /** Decimal text of each number; null where the cell is empty. */
  numbers: { reference: string; values: readonly (string | null)[] };
}

export interface Chart {
  kind: 'bars' | 'columns' | 'lines';
  title: string;
  categories: { reference: string } & ({ texts: readonly string[] } | { days: readonly Day[] });
  series: readonly ChartSeries[];
  /** How the numbers are written. */
  format: string;
  /** The cells it lies over, counted from 1; the last ones are not covered. */
  place: { column: number; row: number; endColumn: number; endRow: number };
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** Told apart in grey print too. */
const COLOURS = ['2F5597', 'C55A11', '548235', '7F6000', '7030A0', '404040'];

/** The chart's own part. */
export function chartXml(chart: Chart): string {
  const { kind, title, series } = chart;
  const legend = series.length > 1 ? '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>' : '';
  return (
    `${HEAD}<c:chartSpace xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}">` +
    `<c:roundedCorners val="0"/><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1100" b="1"/></a:pPr>` +
    `<a:r><a:rPr lang="zh-CN" sz="1100" b="1"/><a:t>${escapeText(title)}</a:t></a:r></a:p></c:rich></c:tx>` +
    `<c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>` +
    `${kind === 'lines' ? lines(chart) : bars(chart)}${axes(chart)}</c:plotArea>${legend}` +
    `<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>`
  );
}

function bars(chart: Chart): string {
  const direction = chart.kind === 'bars' ? 'bar' : 'col';
  return (
    `<c:barChart><c:barDir val="${direction}"/><c:grouping val="clustered"/><c:varyColors val="0"/>` +
    chart.series.map((one, at) => seriesXml(chart, one, at)).join('') +
    `<c:gapWidth val="60"/><c:axId val="1"/><c:axId val="2"/></c:barChart>`
  );
}

function lines(chart: Chart): string {
  return (
    `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>` +
    chart.series.map((one, at) => seriesXml(chart, one, at)).join('') +
    `<c:marker val="1"/><c:axId val="1"/><c:axId val="2"/></c:lineChart>`
  );
}

function seriesXml(chart: Chart, { name, numbers }: ChartSeries, at: number): string {
  const colour = `<a:solidFill><a:srgbClr val="${COLOURS[at % COLOURS.length]}"/></a:solidFill>`;
  const isLine = chart.kind === 'lines';
  const look = isLine ? `<a:ln w="22225">${colour}</a:ln>` : colour;
  const marker = `<c:marker><c:symbol val="circle"/><c:size val="5"/><c:spPr>${colour}</c:spPr></c:marker>`;
  return (
    `<c:ser><c:idx val="${at}"/><c:order val="${at}"/><c:tx>${texts(name.reference, [name.text])}</c:tx>` +
    `<c:spPr>${look}</c:spPr>${isLine ? marker : '<c:invertIfNegative val="0"/>'}` +
    `<c:cat>${categoriesXml(chart)}</c:cat>` +
    `<c:val>${numbersXml(numbers.reference, numbers.values, chart.format)}</c:val>` +
    `${isLine ? '<c:smooth val="0"/>' : ''}</c:ser>`
  );
}

function categoriesXml({ categories }: Chart): string {
  if ('texts' in categories) return texts(categories.reference, categories.texts);
  const serials = categories.days.map((day) => String(daySerial(day)));
  return numbersXml(categories.reference, serials, 'mm-dd');
}

function texts(reference: string, values: readonly string[]): string {
  const points = values.map((text, at) => `<c:pt idx="${at}"><c:v>${escapeText(text)}</c:v></c:pt>`);
  return (
    `<c:strRef><c:f>${escapeText(reference)}</c:f><c:strCache><c:ptCount val="${values.length}"/>` +
    `${points.join('')}</c:strCache></c:strRef>`
  );
}

function numbersXml(reference: string, values: readonly (string | null)[], format: string): string {
  const points = values.map((number, at) =>
    number === null ? '' : `<c:pt idx="${at}"><c:v>${number}</c:v></c:pt>`,
  );
  return (
    `<c:numRef><c:f>${escapeText(reference)}</c:f><c:numCache><c:formatCode>${escapeText(format)}</c:formatCode>` +
    `<c:ptCount val="${values.length}"/>${points.join('')}</c:numCache></c:numRef>`
  );
}

/** Bars are read from the top; days are names, so that each night has its place. */
function axes({ kind, categories, format }: Chart): string {
  const isBars = kind === 'bars';
  const order = isBars ? 'maxMin' : 'minMax';
  const dates = 'days' in categories ? '<c:numFmt formatCode="mm-dd" sourceLinked="0"/>' : '';
  const small =
    '<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="800"/></a:pPr><a:endParaRPr lang="zh-CN"/></a:p></c:txPr>';
  const grid =
    '<c:majorGridlines><c:spPr><a:ln w="6350"><a:solidFill><a:srgbClr val="D9D9D9"/></a:solidFill></a:ln></c:spPr></c:majorGridlines>';
  return (
    `<c:catAx><c:axId val="1"/><c:scaling><c:orientation val="${order}"/></c:scaling><c:delete val="0"/>` +
    `<c:axPos val="${isBars ? 'l' : 'b'}"/>${dates}<c:majorTickMark val="none"/><c:minorTickMark val="none"/>` +
    `<c:tickLblPos val="low"/>${small}<c:crossAx val="2"/><c:crosses val="autoZero"/>${isBars ? '<c:tickLblSkip val="1"/>' : ''}<c:noMultiLvlLbl val="1"/></c:catAx>` +
    `<c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>` +
    `<c:axPos val="${isBars ? 'b' : 'l'}"/>${grid}<c:numFmt formatCode="${escapeText(format)}" sourceLinked="0"/>` +
    `<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>${small}` +
    `<c:crossAx val="1"/><c:crosses val="${isBars ? 'max' : 'autoZero'}"/><c:crossBetween val="between"/></c:valAx>`
  );
}

/** Where the charts of a sheet lie; `rId1` is the first chart, in their order. */
export function drawingXml(charts: readonly Chart[]): string {
  const corner = (name: string, column: number, row: number): string =>
    `<xdr:${name}><xdr:col>${column - 1}</xdr:col><xdr:colOff>0</xdr:colOff>` +
    `<xdr:row>${row - 1}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${name}>`;
  const anchors = charts.map(
    ({ title, place }, at) =>
      `<xdr:twoCellAnchor>${corner('from', place.column, place.row)}${corner('to', place.endColumn, place.endRow)}` +
      `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${at + 2}" name="${attribute(title)}"/>` +
      `<xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>` +
      `<a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" r:id="rId${at + 1}"/>` +
      `</a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>`,
  );
  return (
    `${HEAD}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}">` +
    `${anchors.join('')}</xdr:wsDr>`
  );
}

function attribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}
