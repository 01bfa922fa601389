/**
 * A day's use in minutes: thousands of turns on the simulated engine with its faults on, sessions opened, forked, edited
 * and deleted, the engine lost and back, the clock moved. What the app holds is measured after every tenth.
 *
 *   npm run soak -- [--turns 10000] [--seed 1]
 *
 * - memory_growth: bytes after a collection, the last tenth ÷ the second one; handles_growth likewise, of timers, sockets,
 *   files and children together.
 * - db_growth: bytes in use in the database for each turn in it, likewise; db_bytes_per_turn is the last one.
 * - lost: turns that were acknowledged and are missing, or not ended, after a restart at the end; and errors in the log.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openDatabase } from '../../src/host/store/sqlite.ts';
import { startSim } from '../../src/sim/index.ts';
import { seededRandom } from '../../src/sim/time/random.ts';
import { fastFolder } from '../helpers/host-world.ts';
import { startApp } from '../helpers/measured-app.ts';
import type { Measure } from '../helpers/measured-app-process.ts';
import { Person, type Promised } from './people.ts';
import { soakScript } from './script.ts';

const { values } = parseArgs({
  options: { turns: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const wanted = Number(values.turns);
const seed = Number(values.seed);
const tenths = 10;
const lanes = 3;
const hourMs = 60 * 60 * 1000;
/** Eight hours pass with so many turns, so that what is to go after a week does. */
const turnsPerShift = 40;
/** The engine goes and comes back. */
const turnsPerOutage = 400;

interface Row extends Measure {
  turns: number;
  dbBytesPerTurn: number;
}

const dir = await mkdtemp(join(fastFolder(), 'andiron-soak-'));
await mkdir(join(dir, 'workspace'));
await writeFile(join(dir, 'workspace', 'notes.txt'), 'milk\n');
const sim = await startSim({ speed: 5_000, script: soakScript, keepRequests: 20, seed });
const app = await startApp(dir, sim.url);
const random = seededRandom(seed);
const people = Array.from({ length: lanes }, () => new Person(app, join(dir, 'workspace'), random));
const rows: Row[] = [];
const problems: string[] = [];
const began = performance.now();

try {
  await prepare();
  for (let tenth = 1; tenth <= tenths; tenth += 1) {
    await workUntil((wanted * tenth) / tenths);
    rows.push(await measured());
  }
  const lost = await lostTurns();
  report(lost);
} finally {
  await app.stop();
  await sim.close();
  await rm(dir, { recursive: true, force: true });
}

/** Plans would only make every turn longer. */
async function prepare(): Promise<void> {
  const window = app.openWindow();
  await window.rpc.call('profile/update', { profileId: 'developer', changes: { planningEnabled: false } });
  window.rpc.close();
}

function done(): number {
  return people.reduce((sum, person) => sum + person.turns, 0);
}

async function workUntil(turns: number): Promise<void> {
  let shift = Math.floor(done() / turnsPerShift);
  let outage = Math.floor(done() / turnsPerOutage);
  const work = async (person: Person): Promise<void> => {
    while (done() < turns) {
      await person.act();
      if (Math.floor(done() / turnsPerShift) > shift) {
        shift += 1;
        await app.skip(8 * hourMs);
      }
      if (Math.floor(done() / turnsPerOutage) > outage) {
        outage += 1;
        await sim.restart(50);
      }
    }
  };
  await Promise.race([Promise.all(people.map(work)), app.ended]);
}

async function measured(): Promise<Row> {
  const measure = await app.measure();
  problems.push(...measure.errors);
  const { bytes, turns } = databaseUse();
  const row = { ...measure, turns: done(), dbBytesPerTurn: bytes / turns };
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(
    `${String(row.turns).padStart(6)} turns  ${(row.memory / 2 ** 20).toFixed(1)} MB  ${String(row.handles)} handles  ` +
      `${String(row.files)} files  ${row.dbBytesPerTurn.toFixed(0)} bytes a turn  ${minutes} min`,
  );
  return row;
}

function databaseUse(): { bytes: number; turns: number } {
  const database = openDatabase(join(dir, 'data', 'andiron.db'));
  try {
    const pages = Number(database.pragma('page_count')) - Number(database.pragma('freelist_count'));
    const count = database.query<[], { turns: number }>(
      'SELECT count(*) AS turns FROM turns',
      z.object({ turns: z.number() }),
    );
    return { bytes: pages * Number(database.pragma('page_size')), turns: count.get()?.turns ?? 0 };
  } finally {
    database.close();
  }
}

/** After a restart everything that was acknowledged has to be there, with an end. */
async function lostTurns(): Promise<number> {
  const promised = people.flatMap((person) => person.promised);
  for (const person of people) person.close();
  await app.restart();
  const window = app.openWindow();
  let lost = 0;
  for (const [sessionId, turns] of Map.groupBy(promised, (turn: Promised) => turn.sessionId)) {
    const { snapshot } = await window.rpc.call('session/subscribe', { sessionId });
    const known = new Map(snapshot.turns.map((turn) => [turn.id, turn.closed]));
    for (const { turnId } of turns) {
      if (known.get(turnId) === true) continue;
      lost += 1;
      problems.push(`${sessionId} ${turnId} ${known.has(turnId) ? 'has no end' : 'is gone'}`);
    }
  }
  window.rpc.close();
  return lost;
}

function held({ handles, files }: Row): number {
  return handles + files;
}

function report(lost: number): void {
  const second = rows[1];
  const last = rows.at(-1);
  if (!second || !last) throw new Error('Nothing was measured.');
  const gates = [
    { figure: 'turns', value: last.turns, holds: last.turns >= wanted, bound: `at least ${String(wanted)}` },
    ...[
      { figure: 'memory_growth', value: last.memory / second.memory, most: 1.1 },
      { figure: 'handles_growth', value: held(last) / held(second), most: 1 },
      { figure: 'db_growth', value: last.dbBytesPerTurn / second.dbBytesPerTurn, most: 1.1 },
      { figure: 'lost', value: lost, most: 0 },
      { figure: 'errors', value: problems.length - lost, most: 0 },
    ].map((gate) => ({ ...gate, holds: gate.value <= gate.most, bound: `at most ${String(gate.most)}` })),
  ];
  for (const problem of problems.slice(0, 10)) console.log(`! ${problem}`);
  for (const { figure, value, holds, bound } of gates)
    console.log(`${holds ? 'ok  ' : 'FAIL'} ${figure} ${String(Number(value.toFixed(3)))}, ${bound}`);
  const figures = Object.fromEntries(gates.map(({ figure, value }) => [figure, Number(value.toFixed(3))]));
  console.log(
    JSON.stringify({
      bench: 'soak',
      seed,
      figures: { ...figures, db_bytes_per_turn: Math.round(last.dbBytesPerTurn) },
    }),
  );
  process.exitCode = gates.every(({ holds }) => holds) ? 0 : 1;
}
