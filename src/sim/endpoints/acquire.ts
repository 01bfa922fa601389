import type { LoadParts } from '../engine.ts';
import type { Client } from '../http/answer.ts';
import type { SimModel } from '../models.ts';
import { resolveLaunch } from '../scheduler/launch.ts';
import type { Lease } from '../scheduler/scheduler.ts';
import type { TruthRequest } from '../truth/truth.ts';
import { parseModelName, refuseCloudName } from '../wire/names.ts';
import { parseOptions, type Options } from '../wire/options.ts';
import { refuse, type Outcome } from '../wire/outcome.ts';
import type { RunRequest } from '../wire/requests.ts';

/** The model a chat or generate request names. The two differ in what they say to a bad name. */
export function findModel(engine: LoadParts, name: string, endpoint: 'chat' | 'generate'): Outcome<SimModel> {
  const cloud = refuseCloudName(name);
  if (cloud !== undefined) return cloud;
  const notFound = refuse(404, `model '${name}' not found`);
  if (name === '' && endpoint === 'chat') return refuse(400, 'model is required');
  const parsed = parseModelName(name);
  if (!parsed.ok) return endpoint === 'chat' ? parsed : notFound;
  const model = engine.store.find(parsed.value.short);
  return model === undefined ? notFound : { ok: true, value: model };
}

export interface Acquired {
  lease: Lease;
  options: Options;
  loadMs: number;
}

/** Checks options and waits until the model is loaded as the request wants it. */
export async function acquire(
  engine: LoadParts,
  { closed }: Pick<Client, 'closed'>,
  record: TruthRequest,
  model: SimModel,
  request: Pick<RunRequest, 'options' | 'shift' | 'keepAliveMs'>,
): Promise<Outcome<Acquired>> {
  const given = parseOptions(request.options);
  if (!given.ok) return given;
  const options = { ...model.options, ...given.value };
  const launch = resolveLaunch(options, request.shift, {
    numCtx: engine.defaultContext,
    trainedContext: model.contextLength,
  });
  const startedAt = engine.clock.now();
  engine.truth.enter(record, 'queued');
  const lease = await engine.scheduler.acquire({
    model,
    launch,
    keepAliveMs: request.keepAliveMs,
    signal: closed,
  });
  if (!('loaded' in lease)) return lease;
  return { ok: true, value: { lease, options, loadMs: engine.clock.now() - startedAt } };
}
