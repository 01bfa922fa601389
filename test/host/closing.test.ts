/** Andiron ends in the middle of work: what was going on is stopped and says why, whatever else goes away with it. */
import { rm, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/index.ts';
import { createHost, type Host } from '../../src/host/index.ts';
import type { EngineMethods } from '../../src/protocol/engine-methods.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair, type Transport } from '../../src/protocol/transport.ts';
import { startSim, type Sim } from '../../src/sim/index.ts';
import { fastFolder, hostParts, startEngine, Window } from '../helpers/host-world.ts';

let dir: string;
let sim: Sim;
let engine: Engine;
let host: Host;
let enginePipe: Transport;
beforeEach(async () => {
  dir = await mkdtemp(join(fastFolder(), 'andiron-closing-'));
  sim = await startSim({ speed: 100 });
  engine = startEngine(sim.url, true);
  host = await startHost();
});
afterEach(async () => {
  await host.close();
  await engine.stop();
  await sim.close();
  await rm(dir, { recursive: true, force: true });
});

async function startHost(): Promise<Host> {
  const started = await createHost({ ...hostParts(dir), workspace: dir });
  const [hostEnd, engineEnd] = createTransportPair();
  engine.connect(engineEnd);
  started.connectEngine(hostEnd);
  enginePipe = hostEnd;
  return started;
}

function openWindow(): Window {
  const [windowEnd, hostEnd] = createTransportPair();
  host.connectWindow(hostEnd);
  return new Window(createRpcClient<HostMethods>(windowEnd));
}

it('stops a turn that waits for the GPU as the host closes, although its engine goes at the same moment', async () => {
  const [roomEnd, engineEnd] = createTransportPair();
  engine.connect(engineEnd);
  const room = createRpcClient<EngineMethods>(roomEnd);
  const model = 'qwen3.5:9b';
  const window = openWindow();
  const { session } = await window.rpc.call('session/create', {});
  const view = await window.follow(session.id);
  await view.ask('Hello.');
  await room.call('lease/acquire', { model, contextTokens: 8_192, label: 'other work', purpose: 'turn' });
  const waits = await view.send('And now?');
  await view.until(() => view.turn(waits)?.phase === 'lease');

  const closed = host.close();
  enginePipe.close();
  await closed;

  host = await startHost();
  const after = await openWindow().follow(session.id);
  expect(after.turn(waits)?.status).toBe('stopped');
  expect(after.items('stopped')).toMatchObject([{ appClosed: true }]);
});
