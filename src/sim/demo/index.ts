import { reply, type Reply } from '../script/reply.ts';
import type { Script, ScriptRequest } from '../script/script.ts';
import type { SimOptions } from '../index.ts';
import { readTurn } from './conversation.ts';
import { nextReply } from './intents.ts';
import { instructedReply } from './planned.ts';
import { inForm } from './under-grammar.ts';

/** Behaves like a small agent model on any workspace, by rules alone. Answers are made of what its tools return. */
export const demoScript: Script = (request) =>
  request.endpoint === 'chat' ? chatReply(request) : reply().text('.');

function chatReply(request: ScriptRequest): Reply {
  const turn = readTurn(request);
  const written = instructedReply(turn) ?? nextReply(turn);
  return request.format === undefined ? written : inForm(written, request.format);
}

const GB = 1e9;
/** Slow enough for a person to see each state, fast enough not to bore. */
const PACE = {
  loadSeconds: 3,
  prefillTokensPerSecond: 800,
  decodeTokensPerSecond: 40,
  depthFactor: 0.000_02,
  noise: 0.05,
};

/** Options of the simulated Ollama that `--demo` starts. */
export function demoOptions(): SimOptions {
  return {
    models: [
      { name: 'qwen3.5:9b', family: 'qwen3.5', time: PACE },
      { name: 'gemma4:8b', family: 'gemma4-small', time: PACE },
      { name: 'llama3.1:8b', family: 'template-llama3.1', time: PACE },
      {
        name: 'storyteller:3b',
        family: 'template-llama3.1',
        bytes: 2 * GB,
        capabilities: ['completion'],
        card: { parameterSize: '3.2B' },
        time: { ...PACE, loadSeconds: 1.5 },
      },
    ],
    script: demoScript,
    keepRequests: 100,
  };
}
