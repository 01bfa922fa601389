/** Which models a host has, by the names that profiles and sessions use. */
import type { Clock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import { modelName } from '../../rules/model-names.ts';
import type { HostAccess, HostConfig, ListedModel } from './host-kind.ts';
import { hostKinds } from './host-kinds.ts';

export interface HostModel extends ListedModel {
  host: string;
  /** `host-id/model`. */
  name: string;
}

/** Rejects with AndironError, or the signal's reason: there is no timeout but the signal. */
export async function listHostModels(
  host: HostConfig,
  access: HostAccess,
  signal: AbortSignal,
): Promise<HostModel[]> {
  const models = await hostKinds[host.kind].listModels(host, access, signal);
  return models.map((listed) => ({ ...listed, host: host.id, name: modelName(host.id, listed.model) }));
}

/** A host that does not tell by then counts as one that does not answer. */
const listMs = 5_000;

/** As it resolves, or rejects with AndironError where the host is silent. */
export async function inTime<T>(
  { name, url }: HostConfig,
  clock: Clock,
  signal: AbortSignal,
  asked: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const silent = new AndironError(
    'engine_unavailable',
    `${name} does not answer at ${url} within ${listMs / 1000} s.`,
    'Start it, or add it with its new address in Settings, Engine, then send again.',
  );
  const timer = clock.after(listMs, () => late.abort(silent));
  try {
    return await asked(AbortSignal.any([signal, late.signal]));
  } finally {
    timer.cancel();
  }
}

/** What the model was trained for, asked of a host whose list does not say it; null = nobody says. */
export function askContext(
  host: HostConfig,
  access: HostAccess,
  model: string,
  signal: AbortSignal,
): Promise<number | null> {
  return hostKinds[host.kind].trainedContext(host, access, model, signal);
}
