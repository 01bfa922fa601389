import type { LoadParts } from '../engine.ts';
import type { Client, WholeAnswer } from '../http/answer.ts';
import { modelFact, type SimModel } from '../models.ts';
import type { TruthRequest } from '../truth/truth.ts';
import { parseModelName, refuseCloudName } from '../wire/names.ts';
import { refuse, type Outcome, type Refusal } from '../wire/outcome.ts';
import { decodeEmbed, type EmbedRequest } from '../wire/requests.ts';
import { acquire, type Acquired } from './acquire.ts';
import { tokensOf } from './prompt.ts';
import { vectorOf } from './text-vector.ts';

const NANOSECONDS = 1e6;
const DEFAULT_DIMENSIONS = 256;
const TOO_LONG = 'the input length exceeds the context length';

/** POST /api/embed: loads any model, and makes a vector of each text. Without a text it only loads. */
export async function embed(
  engine: LoadParts,
  exchange: Client & WholeAnswer,
  text: string,
  record: TruthRequest,
): Promise<void> {
  const startedAt = engine.clock.now();
  const refused = (refusal: Refusal) => {
    exchange.json(refusal.status, { error: refusal.error });
    engine.truth.finish(record, exchange.closed.aborted ? 'closed' : 'refused');
  };
  const decoded = decodeEmbed(text);
  if (!decoded.ok) return refused(decoded);
  const request = decoded.value;
  const found = findModel(engine, request.model);
  if (!found.ok) return refused(found);
  const model = found.value;
  const acquired = await acquire(engine, exchange, record, model, request);
  if (!acquired.ok) return refused(acquired);
  try {
    const fitted = fit(request, model, acquired.value);
    if (!fitted.ok) return refused(fitted);
    record.promptTokens = fitted.value.reduce((sum, tokens) => sum + tokens.length, 0);
    if (!(await isRead(engine, exchange, record, acquired.value)))
      return engine.truth.finish(record, 'closed');
    exchange.json(200, {
      model: request.model,
      embeddings: fitted.value.map((tokens) =>
        vectorOf(tokens.join(''), dimensionsOf(model), request.dimensions),
      ),
      total_duration: (engine.clock.now() - startedAt) * NANOSECONDS,
      load_duration: acquired.value.loadMs * NANOSECONDS,
      ...(fitted.value.length > 0 && { prompt_eval_count: record.promptTokens }),
    });
    engine.truth.finish(record, 'done');
  } finally {
    acquired.value.lease.release();
  }
}

function findModel(engine: Pick<LoadParts, 'store'>, sent: string): Outcome<SimModel> {
  const cloud = refuseCloudName(sent);
  if (cloud !== undefined) return cloud;
  const parsed = parseModelName(sent);
  const model = parsed.ok ? engine.store.find(parsed.value.short) : undefined;
  if (model === undefined)
    return refuse(404, `model ${JSON.stringify(sent)} not found, try pulling it first`);
  return { ok: true, value: model };
}

/** The tokens of each text, cut to the window unless the request forbids that. */
function fit({ texts, truncate }: EmbedRequest, model: SimModel, { lease }: Acquired): Outcome<string[][]> {
  const window = Math.min(lease.loaded.launch.numCtx, model.contextLength);
  const tokens = texts.map((each) => tokensOf(model, each));
  if (!truncate && tokens.some(({ length }) => length > window)) return refuse(400, TOO_LONG);
  return { ok: true, value: tokens.map((each) => each.slice(0, window)) };
}

/** Takes a slot and the time that reading takes; false = the client left meanwhile. */
async function isRead(
  engine: Pick<LoadParts, 'truth'>,
  client: Client,
  record: TruthRequest,
  { lease }: Acquired,
): Promise<boolean> {
  const { slots, runner } = lease.loaded;
  engine.truth.enter(record, 'waiting');
  if (!(await slots.acquire(client.closed))) {
    client.abandon();
    return false;
  }
  try {
    engine.truth.enter(record, 'prefill');
    await runner.read(record.promptTokens ?? 0, client.closed);
    if (!client.closed.aborted) return true;
    client.abandon();
    return false;
  } finally {
    slots.release();
  }
}

function dimensionsOf({ card }: SimModel): number {
  const length = modelFact(card, 'embedding_length');
  return typeof length === 'number' ? length : DEFAULT_DIMENSIONS;
}
