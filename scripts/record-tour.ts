/**
 * Records the tour again, after a change of protocol or of what a turn shows: `npm run record:tour`.
 * The real host does a planned task on the simulated engine at the demo's pace; a second message is stopped while it is
 * answered. What the host published is written down as it came, with the folder's place taken out.
 */
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SessionEvent } from '../src/protocol/events.ts';
import type { SessionSnapshot } from '../src/protocol/model.ts';
import { demoOptions } from '../src/sim/demo/index.ts';
import { World, type SessionView } from '../test/helpers/host-world.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const demoFolder = at('../resources/demo-workspace');
const target = at('../src/renderer/features/onboarding/tour-recording.json');

const task =
  'Write a report about this folder into REPORT.md: what it is for, how its code is built, and what its tests check.';
const question = 'Give me a long answer: how does a local model read a prompt and write its reply?';

export interface TourRecording {
  begin: SessionSnapshot;
  events: SessionEvent[];
}

/** `speed` divides what the engine takes and what the person takes to decide. */
export async function recordTour(speed: number): Promise<TourRecording> {
  const world = await World.start({
    files: await demoFiles(),
    sim: { ...demoOptions(), speed, seed: 1, runnerStatus: true },
  });
  try {
    const window = world.openWindow();
    const { session } = await window.rpc.call('session/create', {
      workspace: join(world.workspace, 'bookbox'),
      profileId: 'planner',
    });
    const view = await window.follow(session.id);
    const begin = view.state;
    const reported = await view.send(task);
    await view.until(({ items }) =>
      items.some((item) => item.kind === 'tool' && item.state === 'awaiting_approval'),
    );
    await pause(4_000 / speed);
    await view.answer('allow');
    await view.closed(reported);
    await pause(1_500 / speed);
    await stopWhileItWrites(view, speed);
    const written = JSON.stringify({ begin, events: view.events });
    return JSON.parse(written.replaceAll(world.dir + '/workspace/', '')) as TourRecording;
  } finally {
    await world.close();
  }
}

async function stopWhileItWrites(view: SessionView, speed: number): Promise<void> {
  const asked = await view.send(question);
  await view.until(({ items }) => items.some((item) => item.kind === 'text' && item.turnId === asked));
  await pause(4_500 / speed);
  await view.rpc.call('turn/stop', { sessionId: view.sessionId, turnId: asked });
  await view.closed(asked);
  await view.until(({ items }) =>
    items.some((item) => item.kind === 'stopped' && item.turnId === asked && item.slot !== null),
  );
}

async function demoFiles(): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const path of glob('**/*.*', { cwd: demoFolder })) {
    files[join('bookbox', path)] = await readFile(join(demoFolder, path), 'utf8');
  }
  return files;
}

/** One event a line, so that a difference can be read. */
function linesOf({ begin, events }: TourRecording): string {
  const lines = events.map((event) => JSON.stringify(event)).join(',\n');
  return `{"begin":${JSON.stringify(begin)},\n"events":[\n${lines}\n]}\n`;
}

if (import.meta.main) await writeFile(target, linesOf(await recordTour(1)));
