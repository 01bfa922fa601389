/** What this process has loaded and nobody has taken away, as far as is known. By the model's name. */
import type { KeepAlive } from '../../ollama/api.ts';
import type { KeepAlivePolicy, LoadPlan } from '../../protocol/model.ts';

/** One load: another load of the same model is another object. */
export interface OurModel {
  plan: LoadPlan;
  /** As last told to Ollama. */
  keepAlive: KeepAlive;
}

export type Ours = Map<string, OurModel>;

/** Names of what Andiron has loaded on the processor alone, beside the model that answers. */
export type SideModels = Set<string>;

/**
 * What travels with a load. Ten minutes, renewed while Andiron is open, so that a crash frees the GPU soon. `never`
 * too needs some time to live: a turn may wait for its tools, and the model is unloaded when it is over.
 */
export function keepAliveOf(policy: KeepAlivePolicy, minutes: number): KeepAlive {
  if (policy === 'minutes') return minutes * 60;
  return policy === 'always' ? -1 : '10m';
}
