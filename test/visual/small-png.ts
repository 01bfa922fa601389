/** Pictures of the window have few colours that matter: with 256 of them a PNG takes a third of the space. */
import { decode, encode } from 'fast-png';

const most = 256;
/** So many are kept because they cover most; the others because nothing kept so far is like them. */
const frequent = 96;

export function smallPng(png: Uint8Array): Uint8Array {
  const { width, height, data, channels } = decode(png);
  const pixels = new Uint32Array(width * height);
  const counts = new Map<number, number>();
  for (let place = 0; place < pixels.length; place += 1) {
    const from = place * channels;
    const colour = ((data[from] ?? 0) << 16) | ((data[from + 1] ?? 0) << 8) | (data[from + 2] ?? 0);
    pixels[place] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const { palette, nearest } = chooseColours(counts);
  return encode(
    {
      width,
      height,
      depth: 8,
      channels: 1,
      data: Uint8Array.from(pixels, (colour) => nearest.get(colour) ?? 0),
      palette: palette.map((colour) => [red(colour), green(colour), blue(colour)]),
    },
    { zlib: { level: 9 } },
  );
}

interface Chosen {
  palette: number[];
  /** For each colour its place in the palette. */
  nearest: Map<number, number>;
}

function chooseColours(counts: ReadonlyMap<number, number>): Chosen {
  const all = [...counts].toSorted(([, a], [, b]) => b - a);
  const palette: number[] = [];
  const found = all.map(([colour, count]) => ({ colour, weight: Math.sqrt(count), away: Infinity, at: 0 }));
  const keep = (colour: number): void => {
    for (const one of found) {
      const away = distance(one.colour, colour);
      if (away < one.away) Object.assign(one, { away, at: palette.length });
    }
    palette.push(colour);
  };
  for (const { colour } of found.slice(0, frequent)) keep(colour);
  while (palette.length < most) {
    const missed = found.reduce((worst, one) =>
      one.away * one.weight > worst.away * worst.weight ? one : worst,
    );
    if (missed.away === 0) break;
    keep(missed.colour);
  }
  return { palette, nearest: new Map(found.map(({ colour, at }) => [colour, at])) };
}

const red = (colour: number): number => colour >> 16;
const green = (colour: number): number => (colour >> 8) & 255;
const blue = (colour: number): number => colour & 255;

/** Squared. */
function distance(a: number, b: number): number {
  return (red(a) - red(b)) ** 2 + (green(a) - green(b)) ** 2 + (blue(a) - blue(b)) ** 2;
}
