import { expect, test } from 'vitest';
import { createSimulatedGpus } from './simulated-gpus.ts';

test('the simulator says what its GPU holds and does, and a wrong answer is none (audit-U17)', async () => {
  let body = '{"name":"Simulated GPU","totalBytes":16,"usedBytes":7,"utilization":97}';
  const asked: string[] = [];
  const read = createSimulatedGpus('http://127.0.0.1:9', async (url) => {
    asked.push(url);
    return { status: 200, body };
  });
  expect(await read()).toEqual([
    {
      name: 'Simulated GPU',
      vramTotalBytes: 16,
      vramUsedBytes: 7,
      utilization: 97,
      temperatureC: null,
      powerW: null,
    },
  ]);
  expect(asked).toEqual(['http://127.0.0.1:9/gpu']);
  body = '{"name":"Simulated GPU","totalBytes":16}';
  await expect(read()).rejects.toThrow('usedBytes');
});
