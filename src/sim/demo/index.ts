import { reply, type Reply } from '../script/reply.ts';
import { asksForOpening, openingReply } from '../script/scripted-acts.ts';
import type { Script, ScriptRequest } from '../script/script.ts';
import type { SimOptions } from '../index.ts';
import { readTurn } from './conversation.ts';
import { nextReply, workAhead } from './intents.ts';
import { instructedReply } from './planned.ts';
import { inForm } from './under-grammar.ts';

/** Behaves like a small agent model on any workspace, by rules alone. Answers are made of what its tools return. */
export const demoScript: Script = (request) =>
  request.endpoint === 'chat' ? chatReply(request) : reply().text('.');

function chatReply(request: ScriptRequest): Reply {
  const turn = readTurn(request);
  if (asksForOpening(request)) return openingReply(workAhead(turn));
  const written = instructedReply(turn) ?? nextReply(turn);
  return request.format === undefined ? written : inForm(written, request.format);
}

const GB = 1e9;

/** What the catalogue offers, with the simulated family that is nearest. */
const downloads = (
  [
    ['qwen3.5:2b', 'qwen3.5', 1.9],
    ['qwen3.5:4b', 'qwen3.5', 3.4],
    ['gemma4:e2b', 'gemma4-small', 3.2],
    ['gemma4:e4b', 'gemma4-small', 5],
    ['gemma4:12b', 'gemma4-small', 7.5],
    ['gemma4:26b-a4b', 'gemma4-small', 16.9],
    ['gemma4:31b', 'gemma4-small', 18.3],
    ['granite4.2:8b', 'template-qwen2.5', 5.3],
    ['ministral-3:8b', 'native-mistral-small-3.2', 5.2],
    ['ministral-3:14b', 'native-mistral-small-3.2', 8.6],
    ['gpt-oss:20b', 'template-gpt-oss', 12.1],
    ['qwen3.8:27b', 'qwen3.8', 16.5],
    ['qwen3.6:27b', 'qwen3.5', 16.8],
    ['qwen3.6:35b-a3b', 'qwen3.5', 22.1],
  ] as const
).map(([name, family, gigabytes]) => ({ name, family, bytes: gigabytes * GB }));
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
    // Of the catalogue some fit, some are tight and some are too big.
    gpu: { totalBytes: 16 * 2 ** 30, otherBytes: 1.4 * 2 ** 30 },
    models: [
      { name: 'qwen3.5:9b', family: 'qwen3.5', time: PACE },
      {
        name: 'gemma4:8b',
        family: 'gemma4-small',
        capabilities: ['completion', 'tools', 'thinking', 'vision'],
        time: PACE,
      },
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
    pullable: downloads,
    script: demoScript,
    keepRequests: 100,
  };
}
