import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { storeFolder } from './testing.ts';

const module = (path: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);

test('what was acknowledged survives kill -9, and the history is valid', async () => {
  const folder = storeFolder();
  const program = `
    import { openStore } from ${module('store.ts')};
    import { summary, turn, toolItem } from ${module('testing.ts')};
    const log = { info() {}, warn() {}, error() {} };
    const store = openStore({ dataDir: process.argv[1], log, newId: (p) => p + Date.now() });
    store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
    store.saveTurn('s', turn());
    store.appendContext('s', [{ role: 'user', content: 'go' }]);
    for (let n = 0; ; n++) {
      const calls = [{ id: 'a' + n, name: 'x', args: {} }, { id: 'b' + n, name: 'x', args: {} }];
      store.appendContext('s', [{ role: 'assistant', content: '', thinking: '', calls }]);
      store.saveItem('s', toolItem(n));
      store.appendContext('s', [{ role: 'tool', callId: 'a' + n, tool: 'x', content: 'ok' }]);
      console.log(n);
      store.appendContext('s', [{ role: 'tool', callId: 'b' + n, tool: 'x', content: 'ok' }]);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder.path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let acknowledged = -1;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line);
    if (acknowledged === 20) child.kill('SIGKILL');
  }
  expect(acknowledged).toBeGreaterThanOrEqual(20);

  const store = folder.open();
  store.markInterrupted(9);
  const { items } = store.pageItems('s', { limit: 1000 });
  expect(items.filter(({ kind }) => kind === 'tool').length).toBeGreaterThan(acknowledged);
  const context = store.readContext('s');
  const results = new Map(context.flatMap((one) => (one.role === 'tool' ? [[one.callId, one.content]] : [])));
  const calls = context.flatMap((one) => (one.role === 'assistant' ? one.calls.map(({ id }) => id) : []));
  expect([...results.keys()]).toEqual(calls);
  expect(results.get(`a${String(acknowledged)}`)).toBe('ok');
  expect(context.at(-1)?.role).toBe('assistant');
  folder.remove();
});
