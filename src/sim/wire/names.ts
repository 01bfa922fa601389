import { refuse, type Outcome } from './outcome.ts';

const PART = /^[A-Za-z0-9_][\w.-]*$/;

export interface ModelName {
  /** As Ollama lists it: short, with its tag. */
  short: string;
  /** registry/namespace/model:tag, as capability errors print it. */
  full: string;
}

/** Parses a model name of the form `[host/][namespace/]model[:tag]`. */
export function parseModelName(text: string): Outcome<ModelName> {
  const slash = text.lastIndexOf('/');
  const colon = text.indexOf(':', slash + 1);
  const path = colon < 0 ? text : text.slice(0, colon);
  const tag = colon < 0 ? 'latest' : text.slice(colon + 1);
  const parts = path.split('/');
  if (parts.length > 3 || ![...parts, tag].every((part) => PART.test(part)))
    return refuse(400, 'invalid model name');
  const model = parts.at(-1) ?? '';
  const namespace = parts.at(-2) ?? 'library';
  const host = parts.at(-3) ?? 'registry.ollama.ai';
  const short = [
    host === 'registry.ollama.ai' ? [] : [host],
    namespace === 'library' ? [] : [namespace],
    [model],
  ]
    .flat()
    .join('/');
  return { ok: true, value: { short: `${short}:${tag}`, full: `${host}/${namespace}/${model}:${tag}` } };
}

/** What to do with a name that asks for Ollama's cloud; undefined = a local name. */
export function refuseCloudName(text: string): Outcome<never> | undefined {
  const isCloud = /[:-]cloud$/.test(text);
  if (!isCloud) return undefined;
  if (text.includes(':local'))
    return refuse(400, `use either :local or :cloud, not both: ${JSON.stringify(text)}`);
  return refuse(403, 'ollama cloud is disabled: remote model is unavailable');
}
