import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { failureOf, manualClock } from '../testing/fakes.ts';
import { createDescribeModel } from './describe-model.ts';

const servers = new Set<{ close: () => void }>();
afterEach(() => {
  for (const server of servers) server.close();
  servers.clear();
});

async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${String(address.port)}`;
}

const describe = createDescribeModel(manualClock());
const never = new AbortController().signal;

test('the long answer is asked for, and its numbers come back', async () => {
  const bodies: string[] = [];
  const url = await serving((request, response) => {
    request.on('data', (part: Buffer) => bodies.push(`${String(request.url)} ${part.toString()}`));
    request.on('end', () => {
      const model_info = {
        'general.architecture': 'lfm2',
        'lfm2.attention.head_count_kv': [0, 8],
        'tokenizer.ggml.tokens': ['a', 'b', 'c'],
      };
      response.end(JSON.stringify({ model_info }));
    });
  });
  expect(await describe(url, 'lfm2.5:1.2b', never)).toMatchObject({
    architecture: 'lfm2',
    values: { 'attention.head_count_kv': [0, 8] },
    vocabulary: 3,
  });
  expect(bodies).toEqual(['/api/show {"model":"lfm2.5:1.2b","verbose":true}']);
});

test("Ollama's refusal is told in its words", async () => {
  const url = await serving((_, response) => {
    response.writeHead(404).end(JSON.stringify({ error: "model 'x' not found" }));
  });
  expect(await failureOf(describe(url, 'x', never))).toMatchObject({ code: 'model_missing' });
});

test('an answer that is no JSON is an error, not an empty model', async () => {
  const url = await serving((_, response) => void response.end('<html>'));
  expect(await failureOf(describe(url, 'x', never))).toBeInstanceOf(Error);
});
