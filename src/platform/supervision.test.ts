import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from './clock.ts';
import type { FromHost, HostInit, ToHost } from './host-channel.ts';
import type { Keychain } from './keychain.ts';
import { silentLog } from './log.ts';
import { hostLimits, mayRestart, HostSupervisor, type SupervisedProcess } from './supervision.ts';

/** Time moves only when the test says so. */
class ManualClock implements Clock {
  #now = 1_000_000;
  #timers: { at: number; run: () => void }[] = [];
  now = (): number => this.#now;
  monotonic = (): number => this.#now;
  after(ms: number, run: () => void) {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return { cancel: () => void (this.#timers = this.#timers.filter((other) => other !== timer)) };
  }
  pass(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= until).toSorted((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = due.at;
      due.run();
    }
    this.#now = until;
  }
}

class FakeHost implements SupervisedProcess {
  posted: ToHost['type'][] = [];
  newest: ToHost | undefined;
  killed = 0;
  say: (message: FromHost) => void = () => undefined;
  exit: (code: number | null) => void = () => undefined;
  post(message: ToHost): void {
    this.posted.push(message.type);
    this.newest = message;
  }
  onMessage(listener: (message: FromHost) => void): void {
    this.say = listener;
  }
  onExit(listener: (code: number | null) => void): void {
    this.exit = listener;
  }
  kill(): void {
    this.killed++;
    this.exit(null);
  }
}

const init: HostInit = { dataDir: '/data', workspace: '/work', resourcesDir: '/resources' };

const sealing: Keychain = {
  name: 'kwallet',
  seal: (text) => Promise.resolve(`sealed ${text}`),
  open: () => Promise.reject(new Error('refused')),
};

function setUp(keychain: Keychain | null = null) {
  const clock = new ManualClock();
  const hosts: FakeHost[] = [];
  const told: string[] = [];
  const supervisor = new HostSupervisor({
    spawn: () => {
      const host = new FakeHost();
      hosts.push(host);
      return host;
    },
    init,
    keychain,
    clock,
    log: silentLog,
    sweep: (dataDir) => told.push(`swept ${dataDir}`),
    onReady: () => told.push('ready!'),
    onGone: () => told.push('gone!'),
    onStatus: ({ state }) => told.push(state),
  });
  const newest = (): FakeHost => {
    const host = hosts.at(-1);
    if (!host) throw new Error('no host was started');
    return host;
  };
  const startReady = (): FakeHost => {
    supervisor.start();
    newest().say({ type: 'ready' });
    return newest();
  };
  return { clock, hosts, told, supervisor, newest, startReady };
}

let it: ReturnType<typeof setUp>;
beforeEach(() => {
  it = setUp();
});

test('a host is told where everything is, and counts as a host once it is ready', () => {
  it.supervisor.start();
  expect(it.newest().posted).toEqual(['init']);
  expect(it.supervisor.host()).toBeUndefined();
  it.newest().say({ type: 'ready' });
  expect(it.supervisor.host()).toBe(it.newest());
  expect(it.told).toEqual(['starting', 'ready', 'ready!']);
});

test('a host that is to stay hears so, and so does each one that is started after it', () => {
  const first = it.startReady();
  it.supervisor.stays();
  expect(first.posted).toEqual(['init', 'stay']);
  first.exit(1);
  expect(it.newest().posted).toEqual(['init', 'stay']);
});

test('a host is told which keychain there is, and gets the answers of its own questions', async () => {
  it = setUp(sealing);
  it.supervisor.start();
  const host = it.newest();
  expect(host.newest).toEqual({ type: 'init', init: { ...init, keychain: 'kwallet' } });
  host.say({ type: 'keychain', id: 4, act: 'seal', text: 'a key' });
  await Promise.resolve();
  await Promise.resolve();
  expect(host.newest).toEqual({ type: 'keychain', id: 4, text: 'sealed a key' });
});

test('an answer of the keychain that comes after its host is not given to the next one', async () => {
  const late = Promise.withResolvers<string>();
  it = setUp({ ...sealing, open: () => late.promise });
  const first = it.startReady();
  first.say({ type: 'keychain', id: 1, act: 'open', text: 'x' });
  first.exit(1);
  late.resolve('a key');
  await new Promise((resolve) => setImmediate(resolve));
  expect(it.hosts.map(({ newest }) => newest?.type)).toEqual(['init', 'init']);
});

test('what a host that was ready left running is ended before the next one starts', () => {
  it.startReady().exit(null);
  expect(it.told).toEqual(['starting', 'ready', 'ready!', 'swept /data', 'gone!', 'starting']);
});

test('a host that never was ready leaves nothing to end, even where the one before it was ready', () => {
  it.startReady().exit(1);
  it.newest().exit(1);
  expect(it.told.filter((told) => told.startsWith('swept'))).toHaveLength(1);
});

test('a host that never had the data folder leaves nothing to end', () => {
  it.supervisor.start();
  it.newest().exit(1);
  it.newest().say({ type: 'failed', message: 'In use.', advice: 'Use that one.' });
  it.newest().exit(0);
  expect(it.told).not.toContain('swept /data');
});

test('a host that does not become ready is killed, and that counts as a death', () => {
  it.supervisor.start();
  it.clock.pass(hostLimits.readyMs);
  expect(it.hosts.map((host) => host.killed)).toEqual([1, 0]);
});

test('a host that works on its data has minutes for it', () => {
  it.supervisor.start();
  it.newest().say({ type: 'blocked', isBlocked: true });
  it.clock.pass(hostLimits.blockedMs - 1);
  expect(it.newest().killed).toBe(0);
  it.newest().say({ type: 'ready' });
  expect(it.supervisor.status().state).toBe('ready');
});

test('a host that never gets done with its data is killed', () => {
  it.supervisor.start();
  it.newest().say({ type: 'blocked', isBlocked: true });
  it.clock.pass(hostLimits.blockedMs);
  expect(it.hosts.map((host) => host.killed)).toEqual([1, 0]);
});

test('no ping is missed while a ready host works on its data, and each is afterwards', () => {
  const host = it.startReady();
  host.say({ type: 'blocked', isBlocked: true });
  it.clock.pass(hostLimits.blockedMs - 1);
  expect([host.killed, it.supervisor.status().state]).toEqual([0, 'ready']);
  host.say({ type: 'blocked', isBlocked: false });
  it.clock.pass(hostLimits.pingMs * (hostLimits.killAfterPings + 1));
  expect(host.killed).toBe(1);
});

test('four starts in a row that took too long are told, however far apart they were', () => {
  it.supervisor.start();
  for (let start = 1; start <= 4; start += 1) it.clock.pass(hostLimits.readyMs);
  expect(it.hosts).toHaveLength(4);
  expect(it.supervisor.status()).toMatchObject({
    state: 'lost',
    message: 'The agent host did not start, 4 times in a row.',
  });
});

test('an exit before ready is answered by a restart', () => {
  it.supervisor.start();
  it.newest().exit(1);
  expect(it.hosts).toHaveLength(2);
  it.newest().say({ type: 'ready' });
  expect(it.supervisor.status().state).toBe('ready');
});

test('three deaths within a minute are answered by restarts, the fourth is not', () => {
  it.startReady();
  for (let death = 1; death <= 4; death++) it.newest().exit(139);
  expect(it.hosts).toHaveLength(4);
  expect(it.supervisor.status()).toMatchObject({
    state: 'lost',
    message: expect.stringContaining('4 times'),
  });
});

test('deaths more than a minute apart are answered for ever', () => {
  it.startReady();
  for (let death = 1; death <= 10; death++) {
    it.clock.pass(hostLimits.windowMs / 3);
    it.newest().say({ type: 'pong' });
    it.newest().exit(139);
    it.newest().say({ type: 'ready' });
  }
  expect(it.hosts).toHaveLength(11);
});

test('a lost host is revived on request, but not before the minute is over', () => {
  it.startReady();
  for (let death = 1; death <= 4; death++) it.newest().exit(1);
  it.supervisor.revive();
  expect(it.hosts).toHaveLength(4);
  it.clock.pass(hostLimits.windowMs);
  it.supervisor.revive();
  expect(it.hosts).toHaveLength(5);
});

test('a host that refuses to start is not started again, and its reason is told', () => {
  it.supervisor.start();
  it.newest().say({ type: 'failed', message: 'The folder is in use.', advice: 'Close the other one.' });
  expect(it.newest().posted).toEqual(['init', 'stop']);
  it.newest().exit(0);
  it.clock.pass(hostLimits.windowMs);
  it.supervisor.revive();
  expect(it.hosts).toHaveLength(1);
  expect(it.supervisor.status()).toEqual({
    state: 'lost',
    message: 'The folder is in use.',
    advice: 'Close the other one.',
  });
});

describe('a host that answers no ping', () => {
  test('is stalled after three, ready again with its next word', () => {
    const host = it.startReady();
    it.clock.pass(hostLimits.pingMs * (hostLimits.stalledAfterPings + 1));
    expect(it.supervisor.status().state).toBe('stalled');
    expect(it.supervisor.host()).toBe(host);
    host.say({ type: 'pong' });
    expect(it.supervisor.status().state).toBe('ready');
  });

  test('is killed after twelve and started again', () => {
    const host = it.startReady();
    it.clock.pass(hostLimits.pingMs * (hostLimits.killAfterPings + 1));
    expect(host.killed).toBe(1);
    expect(it.hosts).toHaveLength(2);
  });

  test('is never accused while it answers', () => {
    const host = it.startReady();
    for (let i = 0; i < 100; i++) {
      it.clock.pass(hostLimits.pingMs);
      host.say({ type: 'pong' });
    }
    expect([host.killed, it.told.includes('stalled')]).toEqual([0, false]);
  });
});

test('stop is polite first', async () => {
  const host = it.startReady();
  const stopped = it.supervisor.stop();
  expect(host.posted.at(-1)).toBe('stop');
  host.exit(0);
  await stopped;
  expect([host.killed, it.hosts.length, it.supervisor.status().state]).toEqual([0, 1, 'stopped']);
});

test('a host that does not stop is killed, and not started again', async () => {
  const host = it.startReady();
  const stopped = it.supervisor.stop();
  it.clock.pass(hostLimits.stopMs);
  await stopped;
  expect([host.killed, it.hosts.length]).toEqual([1, 1]);
});

test('how many turns run is remembered, and forgotten when the host dies', () => {
  it.startReady().say({ type: 'activity', runningTurns: 2 });
  expect(it.supervisor.runningTurns()).toBe(2);
  it.newest().exit(1);
  expect(it.supervisor.runningTurns()).toBe(0);
});

test('only deaths within the window count', () => {
  expect(mayRestart([0, 1, 2, 3], 59_999, hostLimits)).toBe(false);
  expect(mayRestart([0, 1, 2, 3], 60_000, hostLimits)).toBe(true);
});

const broken = (): never => {
  throw new Error('a listener is broken');
};

function setUpBroken(spawn: (nth: number) => FakeHost = () => new FakeHost()) {
  const clock = new ManualClock();
  const hosts: FakeHost[] = [];
  const errors: string[] = [];
  let started = 0;
  const supervisor = new HostSupervisor({
    spawn() {
      const host = spawn(++started);
      hosts.push(host);
      return host;
    },
    init,
    clock,
    log: { ...silentLog, error: (message) => void errors.push(message) },
    sweep: broken,
    onReady: () => undefined,
    onGone: broken,
    onStatus: broken,
    onActivity: broken,
  });
  return { supervisor, hosts, errors, clock };
}

describe('listeners that throw', () => {
  test('keep no host from being started again, and each is told (desk-P21)', () => {
    const { supervisor, hosts, errors } = setUpBroken();
    supervisor.start();
    hosts[0]?.say({ type: 'ready' });
    hosts[0]?.say({ type: 'activity', runningTurns: 1 });
    hosts[0]?.exit(139);
    expect(hosts).toHaveLength(2);
    expect(new Set(errors).size).toBe(4);
  });

  test('keep no host from being stopped (desk-P21)', async () => {
    const { supervisor, hosts } = setUpBroken();
    supervisor.start();
    hosts[0]?.say({ type: 'ready' });
    const stopped = supervisor.stop();
    expect(hosts[0]?.posted.at(-1)).toBe('stop');
    hosts[0]?.exit(0);
    await stopped;
    expect(supervisor.status().state).toBe('stopped');
  });

  test('and a host that takes no message any more is killed (desk-P21)', async () => {
    const { supervisor, hosts, clock } = setUpBroken();
    supervisor.start();
    const [host] = hosts;
    if (!host) throw new Error('no host was started');
    host.say({ type: 'ready' });
    host.post = broken;
    const stopped = supervisor.stop();
    clock.pass(hostLimits.stopMs);
    await stopped;
    expect(host.killed).toBe(1);
  });

  test('and a host that cannot even be started is tried again, and given up like any other (desk-P21)', () => {
    const { supervisor, hosts } = setUpBroken((nth) => (nth === 2 ? new FakeHost() : broken()));
    supervisor.start();
    expect([hosts.length, supervisor.status().state]).toEqual([1, 'starting']);
    hosts[0]?.exit(1);
    expect([hosts.length, supervisor.status().state]).toEqual([1, 'lost']);
  });
});
