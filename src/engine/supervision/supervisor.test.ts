import { expect, test } from 'vitest';
import { OllamaRefusal } from '../../ollama/failures.ts';
import { silentLog } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import { failureOf, fakeFiles, fakeMachine, settle } from '../testing/fakes.ts';
import { openSupervisor } from '../testing/open-supervisor.ts';

const installed = () => fakeFiles({ '/usr/bin/ollama': '' });

test('an Ollama that answers is running, with its version', async () => {
  const { supervisor, status, news } = openSupervisor();
  await supervisor.look();
  expect(status()).toEqual({
    kind: 'running',
    url: 'http://127.0.0.1:11434',
    version: '0.40.2',
    simulated: false,
    exposed: null,
  });
  expect(news).toEqual(['running http://127.0.0.1:11434']);
});

test('OLLAMA_HOST is asked first, the default address after it', async () => {
  const { supervisor, status } = openSupervisor({
    machine: fakeMachine({ env: { OLLAMA_HOST: 'gpu.lan' } }),
  });
  await supervisor.look();
  expect(status()).toMatchObject({ kind: 'running', url: 'http://127.0.0.1:11434' });
});

test('what the system trusts is trusted once, before the first address over TLS is asked', async () => {
  const told: string[] = [];
  const { deps, supervisor, status, world } = openSupervisor({ trustSystem: () => told.push(status().kind) });
  await supervisor.look();
  expect(told).toEqual([]);
  deps.ollama.listensAt = new Set(['https://gpu.lan']);
  world.list = ['https://gpu.lan'];
  for (let looks = 0; looks < 2; looks += 1) await supervisor.look();
  expect(told).toHaveLength(1);
  expect(status()).toMatchObject({ kind: 'running', url: 'https://gpu.lan' });
});

test('one that also answers at an address of the network is exposed', async () => {
  const { deps, supervisor, status } = openSupervisor({
    machine: fakeMachine({ lanAddresses: () => ['10.0.0.5'] }),
  });
  deps.ollama.listensAt.add('http://10.0.0.5:11434');
  await supervisor.look();
  expect(status()).toMatchObject({ kind: 'running', exposed: true });
});

test('one that is changed to is not exposed because the one before it was', async () => {
  const machine = fakeMachine({ lanAddresses: () => ['10.0.0.5'] });
  const { deps, supervisor, status, world } = openSupervisor({ machine });
  deps.ollama.listensAt.add('http://10.0.0.5:11434').add('http://127.0.0.1:9999');
  await supervisor.look();
  deps.ollama.listensAt.delete('http://127.0.0.1:11434');
  world.list = ['http://127.0.0.1:9999'];
  await supervisor.look();
  expect(status()).toMatchObject({ url: 'http://127.0.0.1:9999', exposed: false });
});

test('one that refuses there is not exposed', async () => {
  const { supervisor, status } = openSupervisor({
    machine: fakeMachine({ lanAddresses: () => ['10.0.0.5'] }),
  });
  await supervisor.look();
  expect(status()).toMatchObject({ kind: 'running', exposed: false });
});

test('nobody answers and nothing is installed: absent, with what was tried', async () => {
  const { deps, supervisor, status } = openSupervisor();
  deps.ollama.listensAt.clear();
  await supervisor.look();
  expect(status()).toMatchObject({
    kind: 'absent',
    tried: expect.arrayContaining(['http://127.0.0.1:11434', '/usr/bin/ollama']),
  });
  await expect(supervisor.url()).rejects.toMatchObject({ code: 'engine_unavailable' });
});

test('nobody answers but the program is there: stopped, and it can be started', async () => {
  const { deps, supervisor, status } = openSupervisor({ files: installed() });
  deps.ollama.listensAt.clear();
  await supervisor.look();
  expect(status()).toEqual({
    kind: 'stopped',
    program: '/usr/bin/ollama',
    canStart: true,
    startHint: 'Run: ollama serve',
  });
});

test('a given address is the only one looked at, and no program is looked for', async () => {
  const { deps, supervisor, status } = openSupervisor({ files: installed(), url: 'http://127.0.0.1:9' });
  deps.ollama.listensAt.clear();
  await supervisor.look();
  expect(status()).toEqual({ kind: 'absent', tried: ['http://127.0.0.1:9'] });
});

test('something else on the port is said to be wrong', async () => {
  const { deps, supervisor, status } = openSupervisor();
  deps.ollama.failure = new AndironError('engine_refused', 'Ollama refused the request (404): no');
  await supervisor.look();
  expect(status()).toMatchObject({
    kind: 'wrong',
    message: expect.stringContaining('Something else is using'),
  });
});

test('what lets nobody through to Ollama is told with what to do about it, and logged once', async () => {
  const logged: unknown[] = [];
  const log = { ...silentLog, warn: (_message: string, facts: unknown) => void logged.push(facts) };
  const { deps, supervisor, status } = openSupervisor({ log });
  deps.ollama.failure = new OllamaRefusal(401, 'Ollama refused the request (401): no', '');
  for (let looks = 0; looks < 2; looks += 1) await supervisor.look();
  const url = 'http://127.0.0.1:11434';
  const message = `${url} refuses the requests of Andiron (HTTP 401).`;
  expect(status()).toEqual({ kind: 'wrong', barrier: 'refusal', url, message });
  expect(await failureOf(supervisor.url())).toMatchObject({
    message,
    advice: 'Let Andiron through there, or name another host.',
  });
  expect(logged).toEqual([{ reason: message }]);
});

test('a port that accepts and says nothing is starting, and wrong after a minute', async () => {
  const { deps, supervisor, status } = openSupervisor();
  deps.ollama.silent = true;
  void supervisor.look();
  await deps.clock.advance(2_000);
  expect(status()).toMatchObject({ kind: 'starting' });
  await deps.clock.advance(70_000);
  expect(status()).toMatchObject({ kind: 'wrong', message: expect.stringContaining('a minute') });
});

test('a machine too busy to answer twice is still running; one that refuses is gone at once', async () => {
  const { deps, supervisor, status, news } = openSupervisor({ files: installed() });
  await supervisor.look();
  deps.ollama.silent = true;
  void supervisor.look();
  await deps.clock.advance(2_000);
  expect(status().kind).toBe('running');
  deps.ollama.silent = false;
  deps.ollama.listensAt.clear();
  await supervisor.look();
  expect(status().kind).toBe('stopped');
  expect(news).toEqual(['running http://127.0.0.1:11434', 'gone']);
});

test('one that hangs is gone after a while, however often it is asked meanwhile', async () => {
  const { deps, supervisor, status } = openSupervisor();
  await supervisor.look();
  deps.ollama.silent = true;
  for (let second = 0; second < 14; second += 2) {
    void supervisor.look();
    await deps.clock.advance(2_000);
  }
  expect(status().kind).toBe('running');
  for (let second = 0; second < 6; second += 2) {
    void supervisor.look();
    await deps.clock.advance(2_000);
  }
  expect(status().kind).toBe('starting');
});

test('while it is away it is asked for less and less often, and its return is noticed', async () => {
  const { deps, supervisor, status } = openSupervisor({ files: installed() });
  deps.ollama.listensAt.clear();
  await supervisor.look();
  await deps.clock.advance(60_000);
  // At 0, 1, 3, 8, then every 10 seconds.
  expect(deps.ollama.versionsAsked).toBe(9);
  deps.ollama.listensAt.add('http://127.0.0.1:11434');
  await deps.clock.advance(10_000);
  expect(status().kind).toBe('running');
});

test('start launches the program, says starting, and resolves when it answers', async () => {
  const { deps, supervisor, status } = openSupervisor({ files: installed() });
  deps.ollama.listensAt.clear();
  await supervisor.look();
  const started = supervisor.start();
  await settle();
  expect(status().kind).toBe('starting');
  expect(deps.processes.launched).toEqual([{ command: '/usr/bin/ollama', args: ['serve'], env: {} }]);
  const url = supervisor.url();
  deps.ollama.listensAt.add('http://127.0.0.1:11434');
  await deps.clock.advance(500);
  await started;
  await expect(url).resolves.toBe('http://127.0.0.1:11434');
});

test('asking twice starts it once', async () => {
  const { deps, supervisor } = openSupervisor({ files: installed() });
  deps.ollama.listensAt.clear();
  await supervisor.look();
  const both = Promise.all([supervisor.start(), supervisor.start()]);
  await settle();
  deps.ollama.listensAt.add('http://127.0.0.1:11434');
  await deps.clock.advance(500);
  await both;
  expect(deps.processes.launched).toHaveLength(1);
});

test('when OLLAMA_HOST is another machine, the one started here serves on loopback', async () => {
  const machine = fakeMachine({ env: { OLLAMA_HOST: 'gpu.lan', PATH: '/usr/bin' } });
  const { deps, supervisor } = openSupervisor({ files: installed(), machine });
  deps.ollama.listensAt.clear();
  await supervisor.look();
  void supervisor.start();
  await settle();
  expect(deps.processes.launched[0]?.env).toEqual({ OLLAMA_HOST: 'http://127.0.0.1:11434' });
  deps.ollama.listensAt.add('http://127.0.0.1:11434');
  await deps.clock.advance(500);
});

test('a program that ends at once with a code is reported, and the state is stopped again', async () => {
  const { deps, supervisor, status } = openSupervisor({ files: installed() });
  deps.ollama.listensAt.clear();
  deps.processes.onLaunch = () => ({ exited: Promise.resolve(1) });
  await supervisor.look();
  const failed = failureOf(supervisor.start());
  await deps.clock.advance(500);
  expect(await failed).toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('code 1'),
    advice: expect.stringContaining('ollama serve'),
  });
  await settle();
  expect(status().kind).toBe('stopped');
});

test('one that never answers is given up after a minute', async () => {
  const { deps, supervisor } = openSupervisor({ files: installed() });
  deps.ollama.listensAt.clear();
  await supervisor.look();
  const failed = failureOf(supervisor.start());
  await deps.clock.advance(61_000);
  expect(await failed).toMatchObject({
    message: expect.stringContaining('minute'),
  });
});

test('what cannot be started here is refused with the way to do it by hand', async () => {
  const files = fakeFiles({
    '/usr/bin/ollama': '',
    '/etc/systemd/system/ollama.service': '',
    '/run/systemd/system/x': '',
  });
  const { deps, supervisor } = openSupervisor({ files });
  deps.ollama.listensAt.clear();
  await supervisor.look();
  await expect(supervisor.start()).rejects.toMatchObject({ advice: expect.stringContaining('systemctl') });
  expect(deps.processes.launched).toEqual([]);
});

test('waiting for the address can be cancelled', async () => {
  const { deps, supervisor } = openSupervisor();
  deps.ollama.silent = true;
  void supervisor.look();
  await deps.clock.advance(2_000);
  const controller = new AbortController();
  const waiting = failureOf(supervisor.url(controller.signal));
  controller.abort();
  expect(await waiting).toMatchObject({ code: 'cancelled' });
});

test('an Ollama that was started a moment ago is found by whoever needs it now', async () => {
  const { deps, supervisor, status } = openSupervisor({ files: installed() });
  deps.ollama.listensAt.clear();
  await supervisor.look();
  expect(status().kind).toBe('stopped');
  deps.ollama.listensAt.add('http://127.0.0.1:11434');
  await expect(supervisor.url()).resolves.toBe('http://127.0.0.1:11434');
});

const usual = 'http://127.0.0.1:11434';
const far = 'http://gpu.lan:11434';

test('every host is told with its standing, and the first that answers is in use', async () => {
  const { deps, supervisor, status, world, standings } = openSupervisor();
  expect(standings()).toEqual([`${usual} untried`]);
  world.list = [far, 'http://10.0.0.9:11434'];
  deps.ollama.listensAt.add('http://10.0.0.9:11434');
  await supervisor.look();
  expect(status()).toMatchObject({ url: 'http://10.0.0.9:11434' });
  expect(standings()).toEqual([`${far} silent`, 'http://10.0.0.9:11434 in_use', `${usual} answers`]);
});

test('when the host in use goes away the next one is used at once', async () => {
  const { deps, supervisor, status, world, news } = openSupervisor();
  world.list = [far];
  world.quiet = false;
  deps.ollama.listensAt.add(far);
  await supervisor.look();
  deps.ollama.listensAt.delete(far);
  await supervisor.look();
  expect(status()).toMatchObject({ kind: 'running', url: usual });
  expect(news).toEqual([`running ${far}`, `running ${usual}`]);
});

test('an earlier host that is back is used again between turns, never under a lease', async () => {
  const { deps, supervisor, status, world } = openSupervisor();
  world.list = [far];
  await supervisor.look();
  world.quiet = false;
  deps.ollama.listensAt.add(far);
  await supervisor.look();
  expect(status()).toMatchObject({ url: usual });
  world.quiet = true;
  await deps.clock.advance(30_000);
  expect(status()).toMatchObject({ url: far });
});

test('a host taken off the list stays while a turn uses it', async () => {
  const { deps, supervisor, status, world } = openSupervisor();
  world.list = [far];
  deps.ollama.listensAt.add(far);
  await supervisor.look();
  Object.assign(world, { list: [], quiet: false });
  await supervisor.look();
  expect(status()).toMatchObject({ url: far });
  world.quiet = true;
  await supervisor.look();
  expect(status()).toMatchObject({ url: usual });
});

test('a busy host that misses a probe is not left for another one', async () => {
  const { deps, supervisor, status, world } = openSupervisor();
  const near = 'http://127.0.0.1:5000';
  world.list = [near];
  deps.ollama.listensAt.add(near);
  await supervisor.look();
  const answer = deps.ollama.version.bind(deps.ollama);
  deps.ollama.version = (url, signal) => (url === near ? new Promise(() => undefined) : answer(url, signal));
  void supervisor.look();
  await deps.clock.advance(2_000);
  expect(status()).toMatchObject({ url: near });
  await deps.clock.advance(70_000);
  expect(status()).toMatchObject({ url: usual });
});

test('an old Ollama is used and called old; a build from source is not', async () => {
  const { deps, supervisor, status } = openSupervisor();
  deps.ollama.answersAs = '0.33.2';
  await supervisor.look();
  expect(status()).toMatchObject({ kind: 'running', outdated: true });
  deps.ollama.answersAs = '0.0.0';
  await supervisor.look();
  expect(status()).not.toHaveProperty('outdated');
});
