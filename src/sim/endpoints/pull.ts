import type { LibraryParts } from '../engine.ts';
import type { LineAnswer } from '../http/answer.ts';
import type { SimModel } from '../models.ts';
import type { Blob } from '../registry/blob.ts';
import type { PullFault } from '../registry/registry.ts';
import type { TruthRequest } from '../truth/truth.ts';
import { goJson, omitEmpty } from '../wire/go-json.ts';
import { parseModelName } from '../wire/names.ts';
import { decodePull } from '../wire/requests.ts';

/** Between two lines about one layer. */
const PROGRESS_MS = 60;
const VERIFY_BYTES_PER_SECOND = 4e9;

/** Who left, or what broke the stream, has nothing more to be told. */
type Ending = 'whole' | 'over';

interface PullAnswer extends LineAnswer {
  whole(status: number, contentType: string, text: string): void;
}

/** POST /api/pull. Errors come in the stream, or as status 500 where nothing is streamed. */
export async function pull(
  engine: LibraryParts,
  exchange: PullAnswer,
  text: string,
  record: TruthRequest,
): Promise<void> {
  const decoded = decodePull(text, engine.dialect);
  if (!decoded.ok) return exchange.json(decoded.status, { error: decoded.error });
  const { model: asked, stream } = decoded.value;
  const name = parseModelName(asked);
  if (!name.ok) return exchange.json(name.status, { error: name.error });
  record.model = name.value.short;

  const say = (value: Record<string, unknown>) => {
    if (stream) exchange.line(value);
  };
  const fail = (error: string) => {
    if (stream) {
      exchange.line({ error });
      exchange.end();
    } else exchange.whole(500, 'application/json', goJson({ error }));
    engine.truth.finish(record, 'failed');
  };

  say({ status: 'pulling manifest' });
  const found = engine.registry.find(name.value.short);
  if (found === undefined) return fail(`pull model manifest: ${manifestProblem(engine, name.value.full)}`);
  for (const layer of found.layers) {
    const before = found.layers.slice(0, found.layers.indexOf(layer));
    const ending = await pullLayer({
      engine,
      exchange,
      record,
      model: found.model,
      layer,
      before,
      say,
      fail,
    });
    if (ending === 'over') {
      if (exchange.closed.aborted) {
        exchange.abandon();
        engine.truth.finish(record, 'closed');
      }
      return;
    }
  }
  say({ status: 'verifying sha256 digest' });
  const verifyMs = (found.model.bytes / VERIFY_BYTES_PER_SECOND / engine.registry.speed) * 1000;
  await engine.clock.sleep(verifyMs, exchange.closed);
  say({ status: 'writing manifest' });
  engine.registry.install(found.model);
  if (!stream) return exchange.json(200, { status: 'success' });
  say({ status: 'success' });
  exchange.end();
}

function manifestProblem(engine: LibraryParts, fullName: string): string {
  if (engine.registry.isReachable) return 'file does not exist';
  const [path, tag] = fullName.split('/').slice(1).join('/').split(':');
  const url = `https://registry.ollama.ai/v2/${path}/manifests/${tag}`;
  return `Get "${url}": dial tcp: lookup registry.ollama.ai on 127.0.0.53:53: no such host`;
}

interface LayerPull {
  engine: LibraryParts;
  exchange: LineAnswer;
  record: TruthRequest;
  model: SimModel;
  layer: Blob;
  /** Layers that are whole already: faults count bytes over all of them. */
  before: readonly Blob[];
  say: (value: Record<string, unknown>) => void;
  fail: (error: string) => void;
}

async function pullLayer(pulled: LayerPull): Promise<Ending> {
  const { engine, exchange, model, layer, before, say } = pulled;
  const bytesBefore = before.reduce((sum, blob) => sum + blob.totalBytes, 0);
  for (;;) {
    const fault = engine.registry.nextFault(model.name);
    const faultAt = fault === undefined ? Infinity : fault.atByte - bytesBefore;
    const isDue = fault !== undefined && layer.completedBytes >= faultAt;
    // The very byte, so that what is kept does not depend on when a timer fired.
    if (isDue && faultAt >= 0) layer.setTo(faultAt);
    say(progressLine(layer));
    if (isDue) {
      engine.registry.spendFault(model.name);
      if ((await suffer(fault, pulled)) === 'over') return 'over';
      continue;
    }
    if (layer.isWhole) return 'whole';
    const leave = layer.watch();
    const ms = Math.min(PROGRESS_MS, layer.msUntil(Math.min(layer.totalBytes, faultAt)));
    await engine.clock.sleep(ms, exchange.closed);
    leave();
    if (exchange.closed.aborted) return 'over';
  }
}

function progressLine(layer: Blob): Record<string, unknown> {
  return {
    status: `pulling ${layer.digest.slice(0, 12)}`,
    digest: `sha256:${layer.digest}`,
    ...omitEmpty({ total: layer.totalBytes, completed: layer.completedBytes }),
  };
}

async function suffer(
  fault: PullFault,
  { exchange, engine, record, layer, fail }: LayerPull,
): Promise<Ending> {
  switch (fault.kind) {
    case 'cut':
      engine.truth.finish(record, 'cut');
      exchange.reset();
      return 'over';
    case 'stall':
      await new Promise<void>((resolve) => {
        if (exchange.closed.aborted) resolve();
        else exchange.closed.addEventListener('abort', () => resolve(), { once: true });
      });
      return 'over';
    case 'error':
      fail(fault.text);
      return 'over';
    case 'line':
      exchange.rawLine(fault.text);
      return 'whole';
    case 'rollback':
      layer.setTo(layer.completedBytes - fault.bytes);
      return 'whole';
  }
}
