/**
 * A hostile engine, a hostile model, hostile files and a hostile program, against the app in a process of its own and a
 * real window. Needs the built app for the window.
 *
 *   npm run bench:hostile -- [--quick] [--only host|page|effects|documents] [--flood TEXT]
 *
 * - floods: kinds that were poured in, each three times; crashes: processes that died, and turns that never ended;
 * - stalls_over: kinds whose longest standstill of host or page, the median of three, is over 500 ms; memory_over: kinds
 *   after which more than 150 MB are held, after a collection;
 * - escaped: files outside the folder; left_running: ways in which a command left a process behind, after its end and
 *   after Stop; unasked: ways in which a tool had an effect outside of what was granted, without a question;
 * - documents: broken and hostile ones that were read; of them over_limits (text, parts or memory) and late (over 24 s).
 */
import { parseArgs } from 'node:util';
import { launchChromium } from '../helpers/chromium.ts';
import { table } from '../helpers/table.ts';
import { median } from './engine/figures.ts';
import { escaped, leftRunning, unasked } from './hostile/effects.ts';
import { readHostileDocuments } from './hostile/documents.ts';
import { engineFloods, type Flood } from './hostile/floods-engine.ts';
import { openPageStage, pageTexts } from './hostile/floods-page.ts';
import { personFloods } from './hostile/floods-person.ts';
import { uploadFloods } from './hostile/floods-upload.ts';
import { openStage, type Stage } from './hostile/stage.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    flood: { type: 'string', default: '' },
  },
});
const rounds = options.quick ? 1 : 3;
const maxStallMs = 500;
const maxMemory = 150 * 2 ** 20;
const isChosen = (part: string): boolean => options.only === undefined || options.only === part;
const chosen = <T extends { name: string }>(floods: readonly T[]): T[] =>
  floods.filter(({ name }) => name.includes(options.flood));

const found = {
  floods: 0,
  crashes: [] as string[],
  stalls_over: [] as string[],
  memory_over: [] as string[],
  escaped: [] as string[],
  left_running: [] as string[],
  unasked: [] as string[],
  over_limits: [] as string[],
  late: [] as string[],
};
let documents = 0;
const rows: string[][] = [['flood', 'longest stall ms', 'MB more', 'ended']];

if (isChosen('host')) await floodHost();
if (isChosen('page')) await floodPage();
if (isChosen('effects')) await tryEffects();
if (isChosen('documents')) await readDocuments();
report();

/** One app takes all of them, so that what one leaves behind weighs on the next. A dead one is replaced. */
async function floodHost(): Promise<void> {
  let stage = await openStage();
  for (const flood of chosen([...engineFloods, ...personFloods, ...uploadFloods])) {
    found.floods += 1;
    const before = await stage.app.measure();
    const seen: { ms: number; end: string }[] = [];
    try {
      for (let round = 0; round < rounds; round += 1) seen.push(await stallOf(flood, stage));
      const after = await stage.app.measure();
      const stalls = seen.map(({ ms }) => ms);
      note(flood.name, stalls, after.memory - before.memory, seen.at(-1)?.end);
      for (const error of after.errors) console.log(`  ${flood.name}: ${error}`);
    } catch (error) {
      found.crashes.push(`${flood.name}: ${String(error)}`);
      console.log(`! ${flood.name}: ${String(error)}`);
      await stage.close().catch(() => undefined);
      stage = await openStage();
    }
  }
  found.escaped.push(...escaped(stage));
  await stage.close();
}

async function stallOf(flood: Flood, stage: Stage): Promise<{ ms: number; end: string }> {
  await stage.app.longestStall();
  const end = await Promise.race([flood.run(stage), stage.app.ended]);
  return { ms: await stage.app.longestStall(), end };
}

async function floodPage(): Promise<void> {
  const browser = await launchChromium();
  try {
    for (const { name } of chosen(Object.keys(pageTexts).map((name) => ({ name })))) {
      found.floods += 1;
      const stage = await openPageStage(browser);
      try {
        const stalls: number[] = [];
        for (let round = 0; round < rounds; round += 1) stalls.push(await stage.longestTask(name));
        note(name, stalls, 0);
      } catch (error) {
        found.crashes.push(`${name}: ${String(error)}`);
        console.log(`! ${name}: ${String(error)}`);
      } finally {
        await stage.close();
      }
    }
  } finally {
    await browser.close();
  }
}

async function tryEffects(): Promise<void> {
  const stage = await openStage();
  try {
    found.left_running.push(...(await leftRunning(stage)));
    found.unasked.push(...(await unasked(stage)));
  } finally {
    await stage.close();
  }
}

async function readDocuments(): Promise<void> {
  const faults = await readHostileDocuments((name) => name.includes(options.flood));
  documents = faults.documents;
  found.crashes.push(...faults.crashes);
  found.over_limits.push(...faults.overLimits);
  found.late.push(...faults.late);
}

function note(name: string, stalls: readonly number[], bytes: number, end = ''): void {
  const stall = median(stalls);
  if (stall > maxStallMs) found.stalls_over.push(`${name}: ${stall.toFixed(0)} ms`);
  if (bytes > maxMemory) found.memory_over.push(`${name}: ${(bytes / 2 ** 20).toFixed(0)} MB`);
  rows.push([name, stall.toFixed(0), (bytes / 2 ** 20).toFixed(1), end]);
  console.log(`  ${name}  ${stall.toFixed(0)} ms  ${(bytes / 2 ** 20).toFixed(1)} MB  ${end}`);
}

function report(): void {
  console.log(`\n${table(rows)}\n`);
  const { floods, ...faults } = found;
  const isWhole = options.only === undefined && options.flood === '';
  const counted = Object.entries(faults).map(([figure, names]) => ({ figure, names }));
  for (const { figure, names } of counted) {
    console.log(`${names.length === 0 ? 'ok  ' : 'FAIL'} ${figure} ${String(names.length)}, at most 0`);
    for (const name of names) console.log(`     ${name}`);
  }
  const enough = !isWhole || (floods >= 40 && documents >= 200);
  console.log(
    `${enough ? 'ok  ' : 'FAIL'} floods ${String(floods)}, at least 40, and documents ${String(documents)}, at least 200`,
  );
  const figures = Object.fromEntries(counted.map(({ figure, names }) => [figure, names.length]));
  console.log(JSON.stringify({ bench: 'hostile', figures: { floods, documents, ...figures } }));
  process.exitCode = enough && counted.every(({ names }) => names.length === 0) ? 0 : 1;
}
