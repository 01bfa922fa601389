/**
 * Files as people keep them, from a seed: reports about things in places, each with its people and figures. What is asked is
 * known for each, once in words that stand in the file and once in parts of them alone.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { htmlOf } from '../../../src/host/documents/writers/write-html.ts';
import { wordOf } from '../../../src/host/documents/writers/write-word.ts';
import { Chance } from '../prefix/chance.ts';

export interface CorpusFile {
  path: string;
  /** Stands in it and nowhere else. */
  rareWord: string;
  byWords: string;
  /** Shares no whole word of more than three letters with the file. */
  byParts: string;
}

const things = `
  fly wheel, gear box, drive shaft, hand rail, floor board, door bell, wind shield, fire place,
  lamp shade, paint brush, rope ladder, pipe wrench, salt cellar, snow plough, steam roller, pine cone,
  oven glove, tooth pick, brief case, candle stick, cork screw, dish washer, foot bridge, hair dryer,
  knife grinder, milk churn, nail file, plough share, sauce pan, table cloth, thumb screw, waste basket,
  wheel barrow, wrist watch, yard stick, bell tower, clock face, fence post, grave stone, mill stone,
  organ pipe, sail cloth`
  .split(',')
  .map((each) => compound(each.trim()));
const places = `
  boat house, wind mill, light house, green house, work shop, court yard, black smithy, fish market,
  rail station, school room, store shed, summer camp, town hall, wine cellar, bake house, barn loft,
  bird hide, book shop, brick yard, camp site, coal mine, dairy farm, ferry dock, flour mill,
  garden gate, guard room, harbour wall, horse stable, jam kitchen, lake shore, laundry room, mountain hut,
  music hall, north gate, orchard path, paper mill, pottery kiln, quarry face, river bank, saw mill,
  slate roof, stone quay, tram depot, valley road, water works, weather mast, winter garden, wool store,
  zoo pond`
  .split(',')
  .map((each) => compound(each.trim()));
const surnames =
  'Abel Brandt Costa Dunn Eklund Ferri Grant Haas Ito Jensen Klein Lopez Moss Nagy Okoro Pires'.split(' ');
const ways = ['once a year', 'each spring', 'after every storm', 'on the first Monday', 'when it rattles'];

interface Compound {
  whole: string;
  parts: string;
}

function compound(parts: string): Compound {
  return { whole: parts.replace(' ', ''), parts: parts.split(' ').toReversed().join(' and ') };
}

/** One document in forty is a process of its own to read: most of what people keep as text is not. */
const formats = ['md', 'txt', 'md', 'txt', 'csv'] as const;
const slowEvery = 40;

/** Writes them, and says what is in them. */
export function writeCorpus(folder: string, count: number, seed: number): CorpusFile[] {
  const chance = new Chance(seed);
  const pairs = things.flatMap((thing) => places.map((place) => ({ thing, place })));
  const files: CorpusFile[] = [];
  for (let at = 0; at < count; at += 1) {
    const [pair] = pairs.splice(chance.below(pairs.length), 1);
    if (!pair) throw new Error(`Not more than ${String(things.length * places.length)} files can be made.`);
    const { thing, place } = pair;
    const rareWord = `q${chance.word()}${at.toString(36)}`;
    const extension = formatAt(at);
    const path = `${chance.pick(['2023', '2024', 'old', 'shared/notes'])}/${chance.pick(['report', 'note', 'visit'])}-${String(at)}.${extension}`;
    const sentences = sentencesOf(thing.whole, place.whole, rareWord, chance);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contentOf(extension, sentences));
    files.push({
      path,
      rareWord,
      byWords: `Who looks after the ${thing.whole} of the ${place.whole}?`,
      byParts: `Is there any ${thing.parts} for us, by a ${place.parts}?`,
    });
  }
  return files;
}

function formatAt(at: number): 'html' | 'docx' | (typeof formats)[number] {
  if (at % slowEvery === 0) return at % (2 * slowEvery) === 0 ? 'html' : 'docx';
  return formats[at % formats.length] ?? 'txt';
}

function sentencesOf(thing: string, place: string, rareWord: string, chance: Chance): string[] {
  const person = chance.pick(surnames);
  return [
    `The ${thing} of the ${place} is kept by ${person}.`,
    `It is oiled ${chance.pick(ways)}, and its number is ${String(1_000 + chance.below(9_000))}.`,
    `Whoever needs the ${thing} asks at the ${place}.`,
    `Its maker is ${rareWord}, and a new ${thing} costs ${String(20 + chance.below(900))} euros.`,
    `The ${place} was last painted in ${String(1990 + chance.below(30))}.`,
  ];
}

function contentOf(
  extension: ReturnType<typeof formatAt>,
  sentences: readonly string[],
): string | Uint8Array {
  const text = sentences.join(' ');
  const markdown = `# Upkeep\n\n${sentences.slice(0, 2).join(' ')}\n\n${sentences.slice(2).join(' ')}\n`;
  if (extension === 'md') return markdown;
  if (extension === 'csv')
    return ['number,remark', ...sentences.map((each, at) => `${String(at + 1)},"${each}"`)].join('\n');
  if (extension === 'html') return htmlOf({ title: 'Upkeep', content: markdown });
  if (extension === 'docx') return wordOf({ title: 'Upkeep', content: markdown });
  return `${text}\n`;
}
