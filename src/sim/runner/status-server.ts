import { createServer } from 'node:http';
import type { Server } from 'node:http';

import type { Runner } from './runner.ts';

/**
 * The runner's own loopback port (contract 11): undocumented, read by the prefill clock. `/slots` answers
 * between batches, so during one it keeps its reader waiting.
 */
export function createStatusServer(runner: Runner, contextTokens: number): Server {
  return createServer((request, response) => {
    void answer(runner, contextTokens, request.url ?? '/').then(([status, body]) => {
      response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
      return response.end(JSON.stringify(body));
    });
  });
}

async function answer(runner: Runner, contextTokens: number, path: string): Promise<[number, unknown]> {
  if (path === '/health') return [200, { status: 'ok' }];
  if (path === '/slots') {
    const slots = await runner.slots();
    return [200, slots.map((slot, id) => ({ id, ...slotBody(slot, contextTokens) }))];
  }
  return [404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }];
}

type Slot = Awaited<ReturnType<Runner['slots']>>[number];

function slotBody(slot: Slot, contextTokens: number) {
  return {
    id_task: slot.task,
    n_ctx: contextTokens,
    is_processing: slot.isProcessing,
    n_prompt_tokens: slot.promptTokens,
    n_prompt_tokens_processed: slot.processed,
    n_prompt_tokens_cache: slot.cached,
    next_token: [{ n_decoded: slot.decoded }],
  };
}
