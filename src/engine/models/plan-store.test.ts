import { expect, test } from 'vitest';
import { createLog, silentLog } from '../../platform/log.ts';
import { fakeFiles } from '../testing/fakes.ts';
import { openPlanStore, type PlanRecord } from './plan-store.ts';

const path = '/data/engine.json';
const record: PlanRecord = {
  digest: 'b18d',
  plan: { model: 'qwen3:8b', options: { num_ctx: 16_384 }, shift: false },
  onCpu: false,
  sizeBytes: 6e9,
  loadMs: 4_200,
};

test('plans and policy are found again by the next engine', async () => {
  const files = fakeFiles();
  const first = openPlanStore(files, path, silentLog);
  first.put('qwen3:8b', record);
  first.setKeepAlive('minutes', 45);
  first.setKeepAlive('always');
  await first.flushed();
  const second = openPlanStore(files, path, silentLog);
  expect(second.get('qwen3:8b')).toEqual(record);
  expect([second.keepAlive(), second.keepMinutes()]).toEqual(['always', 45]);
});

test('no file is a fresh start, without a word', () => {
  const lines: string[] = [];
  const store = openPlanStore(
    fakeFiles(),
    path,
    createLog(
      (line) => lines.push(line),
      () => 0,
      (line) => line,
    ),
  );
  expect(store.get('qwen3:8b')).toBeUndefined();
  expect(lines).toEqual([]);
});

test.each(['', '{"version":1', '[]', '{"version":2,"keepAlive":"always","models":{}}'])(
  'a file that makes no sense (%j) is a fresh start, with a line in the log',
  (text) => {
    const lines: string[] = [];
    const files = fakeFiles({ [path]: text });
    const store = openPlanStore(
      files,
      path,
      createLog(
        (line) => lines.push(line),
        () => 0,
        (line) => line,
      ),
    );
    expect(store.keepAlive()).toBe('while_open');
    expect(lines).toHaveLength(1);
  },
);

test('a disk that refuses is logged, and the plan stands all the same', async () => {
  const lines: string[] = [];
  const files = { ...fakeFiles(), writeWhole: () => Promise.reject(new Error('disk full')) };
  const store = openPlanStore(
    files,
    path,
    createLog(
      (line) => lines.push(line),
      () => 0,
      (line) => line,
    ),
  );
  store.put('qwen3:8b', record);
  await store.flushed();
  expect(store.get('qwen3:8b')).toEqual(record);
  expect(lines.join('')).toContain('disk full');
});

test('without a path nothing is read or written', async () => {
  const files = fakeFiles();
  const store = openPlanStore(files, null, silentLog);
  store.put('qwen3:8b', record);
  await store.flushed();
  expect(files.texts.size).toBe(0);
  expect(store.get('qwen3:8b')).toEqual(record);
});

test('a model may have any name', () => {
  const store = openPlanStore(fakeFiles(), null, silentLog);
  expect(store.get('constructor')).toBeUndefined();
});
