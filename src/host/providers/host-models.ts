/** Which models a host has, by the names that profiles and sessions use. */
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

/** What the model was trained for, asked of a host whose list does not say it; null = nobody says. */
export function askContext(
  host: HostConfig,
  access: HostAccess,
  model: string,
  signal: AbortSignal,
): Promise<number | null> {
  return hostKinds[host.kind].trainedContext(host, access, model, signal);
}
