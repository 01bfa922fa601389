import type { LibraryParts } from '../engine.ts';
import type { WholeAnswer } from '../http/answer.ts';
import type { TruthRequest } from '../truth/truth.ts';
import { omitEmpty } from '../wire/go-json.ts';
import { parseModelName } from '../wire/names.ts';
import { decodeDelete } from '../wire/requests.ts';

/** It reads its own body, since only that of a POST is read before its endpoint. */
interface DeleteAnswer extends WholeAnswer {
  body(): Promise<string>;
  empty(status: number): void;
}

/** DELETE /api/delete: a runner of it that is loaded stays. */
export async function deleteModel(
  engine: LibraryParts,
  exchange: DeleteAnswer,
  _text: string,
  record: TruthRequest,
): Promise<void> {
  const decoded = decodeDelete(await exchange.body());
  if (!decoded.ok) return exchange.json(decoded.status, { error: decoded.error });
  const asked = decoded.value.model;
  record.model = asked;
  if (asked === '') return exchange.json(400, { error: 'model is required' });
  const name = parseModelName(asked);
  if (!name.ok) return exchange.json(400, { error: `name ${JSON.stringify(asked)} is invalid` });
  const model = engine.store.find(name.value.short);
  if (model === undefined) return exchange.json(404, { error: `model '${asked}' not found` });
  engine.registry.remove(model);
  return exchange.empty(200);
}

/** GET /api/experimental/model-recommendations. */
export function recommendations(engine: LibraryParts, exchange: WholeAnswer): void {
  if (engine.recommendations === null) {
    return exchange.json(403, { error: 'ollama cloud is disabled: model recommendations are unavailable' });
  }
  exchange.json(200, {
    recommendations: engine.recommendations.map(({ model, description, ...more }) => ({
      model,
      description,
      ...omitEmpty(more),
    })),
  });
}
