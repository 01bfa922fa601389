/** Names of models on other hosts: `host-id/model`. The engine's own keep the names that Ollama gives them. */

/** The engine's Ollama, which Andiron finds and watches itself; no host of `hosts.json` may have this id. */
export const engineHost = 'engine';

export function modelName(host: string, model: string): string {
  return host === engineHost ? model : `${host}/${model}`;
}

export const isOnHost = (name: string, hosts: ReadonlySet<string>): boolean =>
  splitModelName(name, hosts).host !== engineHost;

/** Ollama's own names may hold slashes too (`hf.co/someone/model`), so only the ids of known hosts count. */
export function splitModelName(name: string, hosts: ReadonlySet<string>): { host: string; model: string } {
  const slash = name.indexOf('/');
  const host = name.slice(0, Math.max(slash, 0));
  return hosts.has(host) ? { host, model: name.slice(slash + 1) } : { host: engineHost, model: name };
}
