import type { EngineMethods } from '../../protocol/engine-methods.ts';
import { createRpcClient } from '../../protocol/rpc-client.ts';
import { createTransportPair } from '../../protocol/transport.ts';
import { createEngine } from '../index.ts';
import { fakeDeps, gib, settle, type Fakes } from './fakes.ts';

/** An engine with two installed models, found and read, and a client. */
export async function openEngine(changes: Partial<Fakes> = {}) {
  const deps = fakeDeps(changes);
  deps.ollama.install('qwen3:8b');
  deps.ollama.install('gemma4:12b', { bytes: 9 * gib });
  const engine = createEngine(deps);
  await settle();
  const connect = () => {
    const [here, there] = createTransportPair();
    engine.connect(there);
    return createRpcClient<EngineMethods>(here);
  };
  const client = connect();
  const acquire = (
    model = 'qwen3:8b',
    more: { purpose?: 'turn' | 'warm'; signal?: AbortSignal; contextTokens?: number } = {},
  ) =>
    client.call(
      'lease/acquire',
      {
        model,
        contextTokens: more.contextTokens ?? 16_384,
        purpose: more.purpose ?? 'turn',
        label: 'a turn',
      },
      more.signal,
    );
  const release = async (leaseId: string): Promise<void> => {
    await client.call('lease/release', { leaseId });
    await settle();
  };
  const loadsSent = () => deps.ollama.sent.filter((sent) => sent.call === 'load');
  return { deps, engine, client, connect, acquire, release, loadsSent, ollama: deps.ollama };
}

/** A machine whose one GPU is read from nvidia-smi. */
export function withGpu(totalMib: number, usedMib: number): Partial<Fakes> {
  const deps = fakeDeps();
  deps.processes.outputs.set('nvidia-smi', `GPU, ${String(totalMib)}, ${String(usedMib)}, 0, 40, 20`);
  return { processes: deps.processes };
}
