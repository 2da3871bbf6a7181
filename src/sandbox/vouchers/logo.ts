/** The emblem of the sandbox's bank, an old coin with its square hole, as the picture that slips carry. */
import { deflateSync } from 'node:zlib';

import type { PdfFile } from './slip-pdf.ts';
import { streamOf } from './slip-pdf.ts';

const SIDE = 160;
/** Samples of a pixel in each direction, so that edges are smooth. */
const SAMPLES = 3;

type Colour = readonly [red: number, green: number, blue: number];
const WHITE: Colour = [255, 255, 255];

/** @returns the number of the picture */
export function addLogo(file: PdfFile): number {
  const [pixels, alpha] = [Buffer.alloc(3 * SIDE * SIDE), Buffer.alloc(SIDE * SIDE)];
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const at = row * SIDE + column;
      const { colour, cover } = pixelAt(column, row);
      for (const [channel, value] of colour.entries()) pixels[3 * at + channel] = value;
      alpha[at] = cover;
    }
  }
  const size = `/Type/XObject/Subtype/Image/Width ${SIDE}/Height ${SIDE}/BitsPerComponent 8/Filter/FlateDecode`;
  const mask = file.add(streamOf(`${size}/ColorSpace/DeviceGray`, deflateSync(alpha, { level: 9 })));
  return file.add(
    streamOf(`${size}/ColorSpace/DeviceRGB/SMask ${mask} 0 R`, deflateSync(pixels, { level: 9 })),
  );
}

function pixelAt(column: number, row: number): { colour: Colour; cover: number } {
  let [red, green, blue, covered] = [0, 0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
    const x = (column + ((sample % SAMPLES) + 0.5) / SAMPLES) / SIDE;
    const y = (row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / SIDE;
    const colour = colourAt(2 * x - 1, 2 * y - 1);
    if (!colour) continue;
    [red, green, blue, covered] = [red + colour[0], green + colour[1], blue + colour[2], covered + 1];
  }
  if (covered === 0) return { colour: WHITE, cover: 0 };
  const mean = [red, green, blue].map((sum) => Math.round(sum / covered)) as [number, number, number];
  return { colour: mean, cover: Math.round((255 * covered) / SAMPLES ** 2) };
}

/** @param x from -1 to 1, as y; undefined outside the coin */
function colourAt(x: number, y: number): Colour | undefined {
  const radius = Math.hypot(x, y);
  if (radius > 0.98) return undefined;
  const side = Math.max(Math.abs(x), Math.abs(y));
  if ((radius > 0.84 && radius < 0.89) || (side > 0.27 && side < 0.34) || side < 0.2) return WHITE;
  if (radius < 0.84 && side > 0.34 && Math.abs(Math.abs(x) - Math.abs(y)) < 0.035) return WHITE;
  const light = Math.round(38 * (1 - y));
  return [12 + Math.round(light / 2), 52 + light, 108 + light];
}
