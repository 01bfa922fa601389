import type { AnswerParts } from '../engine.ts';
import type { SimModel } from '../models.ts';
import { pairingProblems } from '../script/pairing.ts';
import { chatScriptRequest } from '../script/script.ts';
import type { TruthRequest } from '../truth/truth.ts';
import { chatLine, loadAnswer, renderAnswer } from '../wire/lines.ts';
import { refuse, type Refusal } from '../wire/outcome.ts';
import { decodeChat, type ChatRequest } from '../wire/requests.ts';
import { acquire, findModel, type Acquired } from './acquire.ts';
import { complete, type CompletionAnswer } from './complete.ts';
import { noProjector, withImages } from './images.ts';
import { renderFitting, renderPrompt, thinkOf, thinkProblem } from './prompt.ts';

/** POST /api/chat. */
export async function chat(
  engine: AnswerParts,
  exchange: CompletionAnswer,
  text: string,
  record: TruthRequest,
): Promise<void> {
  const startedAt = engine.clock.now();
  const refused = (refusal: Refusal) => {
    exchange.json(refusal.status, { error: refusal.error });
    engine.truth.finish(record, exchange.closed.aborted ? 'closed' : 'refused');
  };
  const decoded = decodeChat(text, engine.dialect);
  if (!decoded.ok) return refused(decoded);
  const request = decoded.value;
  const found = findModel(engine, request.model, 'chat');
  if (!found.ok) return refused(found);
  const model = found.value;
  const isLoadOnly = request.messages.length === 0;
  if (isLoadOnly && request.keepAliveMs === 0) {
    engine.scheduler.expire(model);
    exchange.json(200, loadAnswer('chat', request.model, engine.clock.now(), 'unload'));
    return engine.truth.finish(record, 'done');
  }
  const problem = capabilityProblem(engine, model, request) ?? pairingProblem(engine, record, request);
  if (problem !== undefined) return refused(problem);

  const acquired = await acquire(engine, exchange, record, model, request);
  if (!acquired.ok) return refused(acquired);
  try {
    if (isLoadOnly) {
      exchange.json(200, loadAnswer('chat', request.model, engine.clock.now(), 'load'));
      return engine.truth.finish(record, 'done');
    }
    await answer({ engine, exchange, record, startedAt, request, model, acquired: acquired.value, refused });
  } finally {
    acquired.value.lease.release();
  }
}

async function answer(parts: {
  engine: AnswerParts;
  exchange: CompletionAnswer;
  record: TruthRequest;
  startedAt: number;
  request: ChatRequest;
  model: SimModel;
  acquired: Acquired;
  refused: (refusal: Refusal) => void;
}): Promise<void> {
  const { engine, exchange, record, request, model, acquired } = parts;
  const think = thinkOf(model, request.think);
  const { messages, tools } = request;
  const wanted = {
    name: request.model,
    messages: withImages(messages),
    tools,
    think,
    at: parts.startedAt,
  };
  const rendered = request.truncate
    ? renderFitting(model, wanted, acquired.lease.loaded.launch.numCtx)
    : renderPrompt(model, wanted);
  if (!rendered.ok) return parts.refused(rendered);
  record.promptTokens = rendered.value.tokens.length;
  if (request.debugRenderOnly) {
    exchange.json(200, renderAnswer('chat', request.model, engine.clock.now(), rendered.value.text));
    return engine.truth.finish(record, 'done');
  }
  // Nobody checks it beforehand: the runner has no part that could read them.
  if (messages.some(({ images }) => images !== undefined) && !model.capabilities.includes('vision'))
    return parts.refused(refuse(500, noProjector));
  await complete({
    ...parts,
    endpoint: 'chat',
    prompt: rendered.value,
    tools,
    raw: false,
    write: chatLine,
    ask: chatScriptRequest({ model: model.name, messages, tools, think, format: request.format }),
  });
}

function capabilityProblem(engine: AnswerParts, model: SimModel, request: ChatRequest): Refusal | undefined {
  const sent = JSON.stringify(request.model);
  if (!model.capabilities.includes('completion')) return refuse(400, `${sent} does not support chat`);
  const thinking = thinkProblem(engine, model, request);
  if (thinking !== undefined) return thinking;
  return request.tools.length > 0 && !model.capabilities.includes('tools')
    ? refuse(400, `${model.fullName} does not support tools`)
    : undefined;
}

/**
 * Not Ollama's check but ours: a client that breaks its own history should not stay unnoticed. A render shows the
 * model nothing, and may well ask what becomes of a broken history.
 */
function pairingProblem(
  engine: AnswerParts,
  record: TruthRequest,
  request: ChatRequest,
): Refusal | undefined {
  const problems = request.debugRenderOnly ? [] : pairingProblems(request.messages);
  for (const problem of problems) engine.truth.violation(record, problem);
  if (problems.length === 0 || !engine.refuseUnpaired) return undefined;
  return refuse(400, `simulator: ${problems.join('; ')}`);
}
