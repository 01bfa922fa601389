/** A few of the turns and kills that `npm run bench:undo` tries many of, other ones in each run. */
import { expect, it } from 'vitest';
import { UndoWorld } from '../../src/host/file-changes/points/testing.ts';
import { Draw } from '../bench/undo/actions.ts';
import { killOften } from '../bench/undo/kills.ts';
import { UndoRun } from '../bench/undo/run.ts';
import { drawnBelow, isThorough } from '../helpers/thorough.ts';

const seed = drawnBelow(1_000_000);

it(`Turns of edits and commands are told whole and go back and forth, whatever a person does beside them: seed ${String(seed)}`, async () => {
  const told: string[] = [];
  const world = await UndoWorld.open();
  try {
    const run = new UndoRun(world, new Draw(seed), (what) => told.push(what));
    run.prepare();
    run.begin();
    for (let index = 0; index < (isThorough ? 60 : 10); index += 1) await run.turn(index);
    const { promised, restored, overwroteOutside, unsaid, refusedWithoutCause, mistold } = run.figures;
    expect({
      told,
      overwroteOutside,
      unsaid,
      refusedWithoutCause,
      mistold,
      lost: promised - restored,
    }).toEqual({
      told: [],
      overwroteOutside: 0,
      unsaid: 0,
      refusedWithoutCause: 0,
      mistold: 0,
      lost: 0,
    });
  } finally {
    world.close();
  }
}, 900_000);

// What a killed host leaves running is looked for in /proc.
it.runIf(process.platform === 'linux')(
  `What a killed host did is found by the next one: seed ${String(seed)}`,
  async () => {
    const told: string[] = [];
    const { kills, lost, overwrote } = await killOften(isThorough ? 20 : 3, new Draw(seed), (what) =>
      told.push(what),
    );
    expect({ told, lost, overwrote }).toEqual({ told: [], lost: 0, overwrote: 0 });
    expect(kills).toBeGreaterThan(2);
  },
  300_000,
);
