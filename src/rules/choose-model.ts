/** Which installed model a session uses, and whether it can be used now. Window and host decide it here. */
import type { EngineState, ModelInfo } from '../protocol/model.ts';
import { isOnHost } from './model-names.ts';

type Installed = Pick<ModelInfo, 'name' | 'capabilities'>;

export type ModelChoice<T> =
  | { kind: 'chosen'; model: T }
  /** The one that the person chose is not installed. */
  | { kind: 'missing'; name: string }
  | { kind: 'none' };

/**
 * The person's own choice, else the first of the profile's list that is installed, else any that can call tools, else
 * any that can chat. `installed` in the engine's order: a list that is sorted for the eye would give another one.
 */
export function chooseModel<T extends Installed>(
  installed: readonly T[],
  listed: readonly string[],
  pinned: string | null,
): ModelChoice<T> {
  if (pinned !== null) {
    const model = named(installed, pinned);
    return model ? { kind: 'chosen', model } : { kind: 'missing', name: pinned };
  }
  for (const name of listed) {
    const model = named(installed, name);
    if (model) return { kind: 'chosen', model };
  }
  const chats = installed.filter(canChat);
  const model = chats.find((chat) => canCallTools(chat) === true) ?? chats[0];
  return model ? { kind: 'chosen', model } : { kind: 'none' };
}

export interface ModelWish {
  /** By the person, for the session; null = the profile's list decides. */
  chosen: string | null;
  /** The profile's list. */
  wanted: readonly string[];
  /** Ids of the other hosts. Their models are asked for when a turn begins, so each of them counts as there. */
  hosts: ReadonlySet<string>;
  installed: readonly Installed[];
}

/** The name of the model that the next turn will ask first; null = there is none. One that is missing keeps its name. */
export function effectiveModel({ chosen, wanted, hosts, installed }: ModelWish): string | null {
  const first = chosen === null ? wanted.findIndex((name) => isOnHost(name, hosts)) : -1;
  const onHost = wanted[first];
  // Before a model of a host come the engine's own that are installed, but none that nobody listed.
  const own = wanted.slice(0, onHost === undefined ? wanted.length : first);
  if (chosen !== null && isOnHost(chosen, hosts)) return chosen;
  if (onHost !== undefined && own.every((name) => named(installed, name) === undefined)) return onHost;
  const choice = chooseModel(installed, own, chosen);
  switch (choice.kind) {
    case 'chosen':
      return choice.model.name;
    case 'missing':
      return choice.name;
    case 'none':
      return null;
  }
}

/** `unknown`: the engine is looked for, or its models were not read yet. */
export type ModelReadiness = 'ready' | 'missing' | 'unknown';

/** @param engine undefined = not connected */
export function modelReadiness(
  engine: Pick<EngineState, 'status' | 'models' | 'modelsReadAt'> | undefined,
  listed: readonly string[],
  pinned: string | null,
): ModelReadiness {
  if (!engine || engine.status.kind === 'searching') return 'unknown';
  if (engine.status.kind !== 'running') return 'missing';
  if (engine.modelsReadAt === null) return 'unknown';
  return chooseModel(engine.models, listed, pinned).kind === 'chosen' ? 'ready' : 'missing';
}

/** Embedding models are installed too, and no turn can use them. Unknown is not refused. */
export function canChat({ capabilities }: Installed): boolean {
  return capabilities === null || capabilities.includes('completion');
}

/** It makes vectors and nothing else. What is unknown may answer. */
export function onlyMakesVectors(model: Pick<ModelInfo, 'capabilities'> | undefined): boolean {
  const can = model?.capabilities ?? [];
  return can.includes('embedding') && !can.includes('completion');
}

/** null = the engine has not said. */
export function canCallTools({ capabilities }: Installed): boolean | null {
  return capabilities === null ? null : capabilities.includes('tools');
}

/** Ollama matches names without regard to case and adds the tag by itself. */
function named<T extends Installed>(installed: readonly T[], name: string): T | undefined {
  const wanted = name.toLowerCase();
  return installed.find(({ name: own }) => [wanted, `${wanted}:latest`].includes(own.toLowerCase()));
}

/** In place of the name of a model that makes vectors: facts are found by their words alone. */
export const wordsOnly = '';
