import { afterEach, beforeEach, expect, test } from 'vitest';

import { reply, rule, script, startSim } from '../index.ts';
import type { Sim } from '../index.ts';

let sim: Sim;
beforeEach(async () => {
  sim = await startSim({
    speed: 1000,
    models: [
      { name: 'eyes:8b', family: 'gemma4-small', capabilities: ['completion', 'vision'] },
      { name: 'blind:9b', family: 'qwen3.5' },
    ],
    script: script([
      rule({}, ({ messages }) => reply().text(`I see ${String(messages.at(-1)?.images?.length ?? 0)}.`)),
    ]),
  });
});
afterEach(() => sim.close());

interface Answer {
  message?: { content: string };
  prompt_eval_count?: number;
  prompt_eval_cached_count?: number;
  error?: string;
}

async function ask(model: string, ...images: string[]): Promise<{ status: number; body: Answer }> {
  const messages = [{ role: 'user', content: 'What is this?', images }];
  const response = await fetch(`${sim.url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model, messages, stream: false }),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

test('images are part of the prompt, and the same ones are found again', async () => {
  const none = (await ask('eyes:8b')).body.prompt_eval_count ?? 0;
  const { body } = await ask('eyes:8b', 'AAAA', 'BBBB');
  expect(body.message?.content).toBe('I see 2.');
  expect(body.prompt_eval_count).toBeGreaterThan(none + 500);
  const [same, other] = [await ask('eyes:8b', 'AAAA', 'BBBB'), await ask('eyes:8b', 'CCCC', 'BBBB')];
  expect(same.body.prompt_eval_cached_count).toBeGreaterThan(500);
  expect(other.body.prompt_eval_cached_count ?? 0).toBeLessThan(100);
});

test('a model without a projector fails in its runner, and only over images', async () => {
  expect((await ask('blind:9b')).status).toBe(200);
  const { status, body } = await ask('blind:9b', 'AAAA');
  expect(status).toBe(500);
  expect(body.error).toMatch(/^image input is not supported/);
});

test('what is no base64 is refused before anything is loaded', async () => {
  const { status, body } = await ask('eyes:8b', 'AA#A');
  expect([status, body.error]).toEqual([400, 'illegal base64 data at input byte 2']);
});
