import { createServer, type Server } from 'node:http';

import type { Runner } from './runner.ts';

/**
 * The runner's own loopback port: undocumented, read by the prefill clock. `/slots` answers between batches, so during
 * one it keeps its reader waiting.
 */
export function createStatusServer(runner: Runner, contextTokens: number, slots: number): Server {
  return createServer((request, response) => {
    void answer(runner, contextTokens, slots, request.url ?? '/').then(([status, body]) => {
      response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
      return response.end(JSON.stringify(body));
    });
  });
}

async function answer(
  runner: Runner,
  contextTokens: number,
  slots: number,
  path: string,
): Promise<[number, unknown]> {
  if (path === '/health') return [200, { status: 'ok' }];
  if (path === '/slots') {
    const used = await runner.slots();
    const all = Array.from({ length: slots }, (_, id) => used[id]);
    return [200, all.map((slot, id) => slotBody(id, slot, contextTokens))];
  }
  return [404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }];
}

type Slot = Awaited<ReturnType<Runner['slots']>>[number];

/** A slot that never had a task says nothing about one. */
function slotBody(id: number, slot: Slot | undefined, contextTokens: number) {
  const common = { id, n_ctx: contextTokens, speculative: false, is_processing: slot?.isProcessing ?? false };
  if (slot === undefined) return common;
  return {
    ...common,
    id_task: slot.task,
    n_prompt_tokens: slot.promptTokens,
    n_prompt_tokens_processed: slot.processed,
    n_prompt_tokens_cache: slot.cached,
    next_token: [{ n_decoded: slot.decoded }],
  };
}
