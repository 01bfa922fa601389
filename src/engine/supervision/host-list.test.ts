import { expect, test } from 'vitest';
import { failureOf, fakeDeps } from '../testing/fakes.ts';
import { openEngine } from '../testing/open-engine.ts';

const near = 'http://127.0.0.1:5000';
const usual = 'http://127.0.0.1:11434';

test('a list of hosts is told in order and kept for the next engine', async () => {
  const { deps, client, engine } = await openEngine();
  await client.call('engine/set-hosts', { hosts: ['gpu.lan', '127.0.0.1:5000', 'gpu.lan:11434'] });
  const told = [
    { url: 'http://gpu.lan:11434', origin: 'list', standing: 'silent', version: null },
    { url: near, origin: 'list', standing: 'silent', version: null },
    { url: usual, origin: 'default', standing: 'in_use', version: '0.40.2' },
  ];
  expect(engine.state().hosts).toEqual(told);
  await engine.stop();
  const next = await openEngine({ files: deps.files });
  expect(next.engine.state().hosts).toEqual(told);
});

test('a host that answers is used as soon as it is listed', async () => {
  const deps = fakeDeps();
  deps.ollama.listensAt.add(near);
  const { client, engine } = await openEngine(deps);
  await client.call('engine/set-hosts', { hosts: [near] });
  expect(engine.state().status).toMatchObject({ kind: 'running', url: near });
});

test('a list with something that is no address is refused as a whole', async () => {
  const { client, engine } = await openEngine();
  const refused = failureOf(client.call('engine/set-hosts', { hosts: ['gpu.lan', 'no such thing'] }));
  expect(await refused).toMatchObject({
    code: 'invalid_params',
    message: expect.stringContaining('no such thing'),
    advice: expect.stringContaining('gpu.lan'),
  });
  expect(engine.state().hosts).toMatchObject([{ url: usual }]);
});
