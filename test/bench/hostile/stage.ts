/** One app in a process of its own before a hostile engine, and what every flood needs of it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reply, startSim, type Reply, type Sim } from '../../../src/sim/index.ts';
import { fastFolder, type SessionView, type Window } from '../../helpers/host-world.ts';
import { startApp, type App } from '../../helpers/measured-app.ts';
import { within } from '../../helpers/waiting.ts';
import { startFloodEngine, type FloodEngine } from './flood-engine.ts';

export interface Stage {
  app: App;
  engine: FloodEngine;
  sim: Sim;
  workspace: string;
  /** A folder beside the workspace, in which nothing may ever be written. */
  outside: string;
  window: Window;
  session: () => Promise<SessionView>;
  /** A message whose first reply is this one and whose next ones are words; resolves when the turn is closed. */
  reply: (first: Reply) => Promise<SessionView>;
  close: () => Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const dir = await mkdtemp(join(fastFolder(), 'andiron-hostile-'));
  const workspace = join(dir, 'workspace');
  const outside = join(dir, 'outside');
  await mkdir(workspace);
  await mkdir(outside);
  await writeFile(join(workspace, 'notes.txt'), 'milk\n');
  const sim = await startSim({ speed: 5_000, keepRequests: 4 });
  const engine = await startFloodEngine(sim.url);
  const app = await startApp(dir, engine.url);
  const window = app.openWindow();
  await window.rpc.call('profile/update', { profileId: 'developer', changes: { planningEnabled: false } });

  const session = async (): Promise<SessionView> => {
    const made = await window.rpc.call('session/create', { workspace });
    return app.openWindow().follow(made.session.id);
  };
  return {
    app,
    engine,
    sim,
    workspace,
    outside,
    window,
    session,
    async reply(first) {
      const view = await session();
      sim.setScript(({ results }) => (results.length === 0 ? first : reply().text('That is all.')));
      await within(view.ask('Go on.'), 'the end of the turn');
      return view;
    },
    async close() {
      window.rpc.close();
      await app.stop();
      await engine.close();
      await sim.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
