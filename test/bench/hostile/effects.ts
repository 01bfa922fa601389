/** What gets away: processes of commands, files outside the folder, effects that nobody was asked about. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { reply } from '../../../src/sim/index.ts';
import { callingScript, effectsWithoutQuestion } from '../../helpers/grant-tries.ts';
import { findSurvivors, type RunCommand } from '../../helpers/ways-of-leaving.ts';
import { within } from '../../helpers/waiting.ts';
import { allowAll } from './floods-person.ts';
import type { Stage } from './stage.ts';

/** Commands as the model gives them and a person allows them, in a turn of a session. */
export async function leftRunning({ sim, session }: Stage): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'andiron-left-'));
  const run: RunCommand = async (command, { signal, onOutput }) => {
    sim.setScript(({ results }) =>
      results.length === 0 ? reply().toolCall('run_command', { command }) : reply().text('That is all.'),
    );
    const view = await session();
    const turnId = await view.send('Go on.');
    const stop = (): void => void view.rpc.call('turn/stop', { sessionId: view.sessionId, turnId });
    signal.addEventListener('abort', stop, { once: true });
    let told = 0;
    void view.until(() => {
      const output = view
        .items('tool')
        .map((item) => item.output)
        .join('');
      if (output.length > told) onOutput(output.slice(told));
      told = output.length;
      return view.turn(turnId)?.closed === true;
    });
    void allowAll(view, turnId);
    await within(view.closed(turnId), `the end of ${command}`);
    view.rpc.close();
  };
  try {
    return await findSurvivors({ run, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Names of the tries outside a grant that had an effect, although the person declines every question. */
export function unasked({ sim, workspace, session }: Stage): Promise<string[]> {
  sim.setScript(callingScript);
  return effectsWithoutQuestion({ dir: dirname(workspace), workspace, openSession: session });
}

/** Names of files in the folder in which nothing may be written. */
export function escaped({ outside }: Stage): string[] {
  return readdirSync(outside);
}
