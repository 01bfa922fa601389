import type { AnswerParts } from '../engine.ts';
import type { SimModel } from '../models.ts';
import type { Message } from '../render/index.ts';
import type { TruthRequest } from '../truth/truth.ts';
import { generateLine, loadAnswer, renderAnswer } from '../wire/lines.ts';
import { refuse, type Outcome, type Refusal } from '../wire/outcome.ts';
import { decodeGenerate, type GenerateRequest } from '../wire/requests.ts';
import { acquire, findModel } from './acquire.ts';
import { complete, type CompletionAnswer } from './complete.ts';
import { renderPrompt, thinkOf, thinkProblem, tokensOf, type ReadyPrompt } from './prompt.ts';

/** POST /api/generate: load, unload, raw and plain. */
export async function generate(
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
  const whole = (value: unknown) => {
    exchange.json(200, value);
    engine.truth.finish(record, 'done');
  };
  const decoded = decodeGenerate(text, engine.dialect);
  if (!decoded.ok) return refused(decoded);
  const request = decoded.value;
  const found = findModel(engine, request.model, 'generate');
  if (!found.ok) return refused(found);
  const model = found.value;
  const isLoadOnly = request.prompt === '';
  if (isLoadOnly && request.keepAliveMs === 0) {
    engine.scheduler.expire(model);
    return whole(loadAnswer('generate', request.model, engine.clock.now(), 'unload'));
  }
  const problem = requestProblem(engine, model, request);
  if (problem !== undefined) return refused(problem);

  const acquired = await acquire(engine, exchange, record, model, request);
  if (!acquired.ok) return refused(acquired);
  try {
    if (isLoadOnly) return whole(loadAnswer('generate', request.model, engine.clock.now(), 'load'));
    const prompt = promptOf(model, request, startedAt);
    if (!prompt.ok) return refused(prompt);
    record.promptTokens = prompt.value.tokens.length;
    if (request.debugRenderOnly) {
      return whole(renderAnswer('generate', request.model, engine.clock.now(), prompt.value.text));
    }
    await complete({
      engine,
      exchange,
      record,
      startedAt,
      endpoint: 'generate',
      model,
      request,
      acquired: acquired.value,
      prompt: prompt.value,
      tools: [],
      raw: request.raw,
      write: generateLine,
      ask: {
        endpoint: 'generate',
        model: model.name,
        messages: [],
        lastUser: request.prompt,
        results: [],
        tools: [],
        think: thinkOf(model, request.think),
        format: request.format,
      },
    });
  } finally {
    acquired.value.lease.release();
  }
}

function promptOf(model: SimModel, request: GenerateRequest, at: number): Outcome<ReadyPrompt> {
  if (request.raw) {
    const { prompt } = request;
    return {
      ok: true,
      value: { text: prompt, tokens: tokensOf(model, prompt), userStarts: [], thinking: 'closed' },
    };
  }
  const system: Message[] = request.system === undefined ? [] : [{ role: 'system', content: request.system }];
  const messages: Message[] = [...system, { role: 'user', content: request.prompt }];
  return renderPrompt(model, {
    name: request.model,
    messages,
    tools: [],
    think: thinkOf(model, request.think),
    at,
  });
}

function requestProblem(engine: AnswerParts, model: SimModel, request: GenerateRequest): Refusal | undefined {
  const sent = JSON.stringify(request.model);
  if (request.raw && (request.system !== undefined || request.hasTemplateOrContext)) {
    return refuse(400, 'raw mode does not support template, system, or context');
  }
  if (!model.capabilities.includes('completion')) return refuse(400, `${sent} does not support generate`);
  if (request.suffix !== '') return refuse(400, `${model.fullName} does not support insert`);
  return thinkProblem(engine, model, request);
}
