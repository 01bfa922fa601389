import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  becomesReady,
  connections,
  engineState,
  host,
  last,
  page,
  settled,
  useDesktop,
} from '../../test/helpers/desktop-app.ts';
import { app, dialog, electron, powerMonitor } from '../../test/helpers/electron-stub.ts';
import { openLogFile } from '../platform/log-file.ts';
import { withoutKeys } from '../rules/key-formats.ts';
import { createLog } from '../platform/log.ts';

const { start, dir } = useDesktop();

const exitWhenAsked = (): void => {
  const child = host();
  const asked = child.posted.some(({ message }) => (message as { type: string }).type === 'stop');
  if (asked) child.emit('exit', 0);
};
const summary = (id: string, status: string) => ({ id, title: `Session ${id}`, status });
const labels = () => last(electron.trays).menu.map((item) => [item.label, item.enabled]);

describe('the agent host', () => {
  test('is a utility process and is told where everything is', () => {
    start();
    expect(host().entry).toBe('/out/host.js');
    expect(host().posted[0]?.message).toEqual({
      type: 'init',
      init: { dataDir: dir(), workspace: '/work', resourcesDir: '/resources' },
    });
  });

  test('hears of sleep and of waking up', () => {
    start();
    becomesReady();
    powerMonitor.emit('suspend');
    powerMonitor.emit('resume');
    const told = host().posted.map(({ message }) => (message as { type: string }).type);
    expect(told.filter((type) => type !== 'init' && type !== 'connect')).toEqual(['suspend', 'resume']);
  });

  test('that dies four times in a minute is given up, in words that stop nothing (desk-F12)', () => {
    start();
    becomesReady();
    for (let death = 1; death <= 4; death++) host().emit('exit', 1);
    expect(electron.utilities).toHaveLength(4);
    expect(electron.questions).toMatchObject([
      {
        type: 'error',
        message: 'The agent host stopped working',
        detail: expect.stringContaining('4 times within a minute'),
      },
    ]);
    // That would stop main, and with it the engine, until somebody clicks.
    expect(electron.errorBoxes).toEqual([]);
  });

  test.each<[string, () => void]>([
    ['minimised', () => (page().minimized = true)],
    ['hidden', () => page().hide()],
  ])('that is given up while the window is %s is told in a box that is seen (desk-F12)', (_, putAway) => {
    start();
    page().show();
    becomesReady();
    const box = vi.spyOn(dialog, 'showMessageBox');
    putAway();
    for (let death = 1; death <= 4; death++) host().emit('exit', 1);
    const given = box.mock.calls.map((each) => each.length);
    box.mockRestore();
    // Not one that belongs to a window out of sight.
    expect(given).toEqual([1]);
  });

  test('that is given up is told in a box of the window, as a Mac stops for another (desk-F12)', () => {
    start();
    page().show();
    becomesReady();
    const box = vi.spyOn(dialog, 'showMessageBox');
    for (let death = 1; death <= 4; death++) host().emit('exit', 1);
    const parents = box.mock.calls.map(([parent]) => (parent as unknown) === page());
    box.mockRestore();
    expect(parents).toEqual([true]);
  });

  test('that cannot start ends the app with its reason', async () => {
    const engine = start();
    host().emit('message', { type: 'failed', message: 'The folder is in use.', advice: 'Close the other.' });
    host().emit('exit', 0);
    await settled();
    expect(electron.errorBoxes).toEqual([
      { title: 'Andiron cannot start', content: 'The folder is in use.\nClose the other.' },
    ]);
    expect([app.ended, engine.made]).toEqual([true, 0]);
  });
});

describe('closing the last window', () => {
  test('stops host and engine and ends the app, without a question (desk-P9)', async () => {
    const engine = start();
    becomesReady();
    page().close();
    await settled();
    expect([app.ended, page().destroyed]).toEqual([false, false]);
    exitWhenAsked();
    await settled();
    expect([app.ended, page().destroyed, engine.stopped, last(electron.trays).destroyed]).toEqual([
      true,
      true,
      1,
      true,
    ]);
    expect(electron.questions).toEqual([]);
  });

  test('ends the app also where the log cannot be written, and a dead host was started again (desk-P21)', async () => {
    const path = join(dir(), 'main.log');
    mkdirSync(path);
    start('linux', { log: createLog(openLogFile(path), () => 0, withoutKeys) });
    becomesReady();
    host().emit('exit', 139);
    expect(electron.utilities).toHaveLength(2);
    becomesReady();
    page().close();
    exitWhenAsked();
    await settled();
    expect(app.ended).toBe(true);
  });

  test('ends the app also where a part of it throws (desk-P21)', async () => {
    const engine = start();
    becomesReady();
    page().hide = () => {
      throw new Error('Object has been destroyed');
    };
    page().close();
    exitWhenAsked();
    await settled();
    expect([app.ended, engine.stopped, last(electron.trays).destroyed]).toEqual([true, 1, true]);
  });

  test('ends the app also when the engine cannot stop well', async () => {
    const engine = start();
    becomesReady();
    engine.stopFails = true;
    page().close();
    exitWhenAsked();
    await settled();
    expect([app.ended, engine.stopped]).toEqual([true, 1]);
  });

  test('asks while a turn runs, and a no keeps everything as it is', async () => {
    start();
    becomesReady();
    host().emit('message', { type: 'activity', runningTurns: 1 });
    electron.answer = 1;
    page().close();
    await settled();
    exitWhenAsked();
    await settled();
    expect(electron.questions).toHaveLength(1);
    expect([app.ended, page().destroyed]).toEqual([false, false]);

    electron.answer = 0;
    page().close();
    await settled();
    exitWhenAsked();
    await settled();
    expect(app.ended).toBe(true);
  });

  test('leaves the app running on macOS', () => {
    start('darwin');
    becomesReady();
    page().close();
    expect([page().destroyed, app.ended]).toEqual([true, false]);
    app.emit('activate');
    expect(electron.windows).toHaveLength(2);
  });
});

describe('the tray', () => {
  test('shows what the engine does', () => {
    const engine = start();
    expect(labels()[0]).toEqual(['Looking for Ollama', false]);
    becomesReady();
    const running = { kind: 'running', url: '', version: '', simulated: false, exposed: null } as const;
    engine.tell({ ...engineState, status: running });
    expect(labels()[0]).toEqual(['Ollama runs, no model loaded', false]);
    engine.tell({
      ...engineState,
      status: running,
      loading: { model: 'qwen3:8b', since: 0, expectedMs: null },
    });
    expect(last(electron.trays).toolTip).toBe('Andiron. Loading qwen3:8b');
  });

  test('can stop only what runs, and stops every turn of every session', async () => {
    start();
    becomesReady();
    expect(labels()[1]).toEqual(['Stop all turns', false]);
    host().emit('message', { type: 'activity', runningTurns: 2 });
    expect(labels()[1]).toEqual(['Stop all turns', true]);

    last(electron.trays).menu[1]?.click?.();
    const port = last(connections(host(), 'window'));
    const asked: unknown[] = [];
    port.on('message', ({ data }: { data: { id: number; method: string; params: unknown } }) => {
      asked.push([data.method, data.params]);
      const sessions = ['idle', 'running', 'asking', 'queued', 'failed'].map((status) => ({
        id: `of_${status}`,
        status,
      }));
      const result = data.method === 'host/subscribe' ? { sessions } : {};
      port.postMessage({ type: 'response', id: data.id, ok: true, result });
    });
    port.start();
    await settled();
    await settled();
    expect(asked).toEqual([
      ['host/subscribe', {}],
      ['turn/stop', { sessionId: 'of_running' }],
      ['turn/stop', { sessionId: 'of_asking' }],
      ['turn/stop', { sessionId: 'of_queued' }],
    ]);
    expect(port.closed).toBe(true);
  });

  test('names what runs and what asks, as the host tells it, until the host is gone', async () => {
    start();
    becomesReady();
    const port = last(connections(host(), 'window'));
    port.on('message', ({ data }: { data: { id: number } }) => {
      const result = { sessions: [summary('s1', 'running'), summary('s2', 'idle')] };
      port.postMessage({ type: 'response', id: data.id, ok: true, result });
    });
    port.start();
    await settled();
    await settled();
    const tells = async (event: unknown): Promise<string> => {
      port.postMessage({ type: 'event', topic: 'host', seq: 1, event });
      await settled();
      return last(electron.trays).toolTip;
    };
    expect(last(electron.trays).toolTip).toBe('Andiron. Runs: Session s1');
    expect(await tells({ type: 'session/upserted', session: summary('s2', 'asking') })).toBe(
      'Andiron. Asks: Session s2',
    );
    expect(await tells({ type: 'session/removed', sessionId: 's2' })).toBe('Andiron. Runs: Session s1');
    host().emit('exit', 1);
    expect(last(electron.trays).toolTip).toBe('Andiron. Looking for Ollama');
  });

  test('asks the engine to lend the GPU, and says in words when it does not', async () => {
    const engine = start();
    becomesReady();
    engine.tell({
      ...engineState,
      lent: { model: 'qwen3:8b', contextTokens: 8192, since: 0, freedBytes: 1 },
    });
    last(electron.trays)
      .menu.find(({ label }) => label === 'Take the GPU back')
      ?.click?.();
    const pipe = last(engine.pipes);
    const asked = await new Promise((resolve) => {
      pipe.onFrame((frame) => {
        const { id, method } = frame as { id: number; method: string };
        resolve(method);
        const error = { code: 'busy', message: 'A turn uses the GPU.' };
        pipe.send({ type: 'response', id, ok: false, error });
      });
    });
    expect(asked).toBe('engine/take-back');
    await settled();
    await settled();
    expect(electron.questions).toMatchObject([
      { message: 'The GPU could not be freed or taken back', detail: 'A turn uses the GPU.' },
    ]);
    expect(electron.errorBoxes).toEqual([]);
  });
});
