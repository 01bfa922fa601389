import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../protocol/events.ts';
import { settled } from '../testing/fake-server.ts';
import { anEngine, anItem, aProfile, aSession, aSnapshot, aTurn } from '../testing/fixtures.ts';
import { openTestWindow } from '../testing/window-kit.tsx';
import { startSync } from './sync.ts';

const delta = (seq: number, text: string): SessionEvent => ({
  seq,
  sessionId: 's1',
  at: 1,
  turnId: 't1',
  event: { type: 'item/delta', itemId: 'i1', text },
});

/** A window whose host has two sessions; the first is open and an answer of it is being written. */
async function syncedWindow(openSessionId: string | null = 's1') {
  const window = await openTestWindow();
  const { host, engine, stores, services } = window;
  // Connected by startSync, as in the app.
  services.host.close();
  services.engine.close();
  const frames: (() => void)[] = [];
  const state = aSnapshot({ turns: [aTurn()], items: [anItem('text', { text: '', completedAt: null })] });
  host
    .answer('host/subscribe', () => ({
      seq: 1,
      epoch: 'epoch-1',
      sessions: [aSession(), aSession({ id: 's2' })],
      profiles: [aProfile()],
      problems: [],
      defaults: { profileId: 'developer', workspace: '/w' },
      hosts: ['lab'],
    }))
    .answer('session/subscribe', () => ({ seq: 10, epoch: 'epoch-1', snapshot: state }))
    .answer('session/unsubscribe', () => ({}));
  engine.answer('engine/subscribe', () => ({ seq: 1, epoch: 'epoch-1', state: anEngine() }));
  stores.ui.setState({ openSessionId });
  startSync(services, { nextFrame: (callback) => void frames.push(callback) });
  await settled();
  const paint = (): void => {
    for (const frame of frames.splice(0)) frame();
  };
  const shownText = (): string | undefined => {
    const item = stores.session.getState().state?.items[0];
    return item?.kind === 'text' ? item.text : undefined;
  };
  return { ...window, frames, paint, shownText };
}

describe('the timeline of the GPU', () => {
  it('is asked for once the engine is there, and goes on with each sample', async () => {
    const { engine, stores, paint } = await syncedWindow();
    engine.answer('engine/timeline', () => ({ points: [] }));
    expect(engine.count('engine/timeline')).toBe(1);
    const gpu = {
      name: 'A',
      vramTotalBytes: 9,
      vramUsedBytes: 1,
      utilization: 3,
      temperatureC: null,
      powerW: null,
    };
    for (const [seq, at] of [
      [2, 100],
      [3, 200],
    ] as const) {
      engine.publish('engine', seq, { type: 'engine/changed', changes: { gpus: [{ ...gpu, at }] } });
      await settled();
      paint();
    }
    expect(stores.engine.getState().timeline.map(({ at }) => at)).toEqual([100, 200]);
  });
});

describe('a window in step with host and engine', () => {
  it('shows sessions, profiles, the engine and the session that was open', async () => {
    const { stores } = await syncedWindow();
    expect(stores.host.getState()).toMatchObject({
      connection: 'live',
      defaults: { workspace: '/w' },
      hosts: new Set(['lab']),
    });
    expect(stores.host.getState().sessions).toHaveLength(2);
    expect(stores.engine.getState()).toMatchObject({ connection: 'live', engine: { waiting: 0 } });
    expect(stores.session.getState().state?.items).toHaveLength(1);
  });

  it('paints what came since the last frame once, in order', async () => {
    const { host, frames, paint, shownText, stores } = await syncedWindow();
    let updates = 0;
    stores.session.subscribe(() => (updates += 1));
    host.publish('session:s1', 11, delta(11, 'It was '));
    host.publish('session:s1', 12, delta(12, 'the clock.'));
    await settled();
    expect([frames.length, updates, shownText()]).toEqual([1, 0, '']);
    paint();
    expect([updates, shownText()]).toEqual([1, 'It was the clock.']);
  });

  it('comes back after a lost connection with nothing doubled and nothing lost', async () => {
    const { host, clock, paint, shownText, stores } = await syncedWindow();
    host.publish('session:s1', 11, delta(11, 'It was '));
    await settled();
    host.answer('session/subscribe', () => ({
      seq: 12,
      epoch: 'epoch-1',
      snapshot: aSnapshot({ items: [anItem('text', { text: 'It was the ', completedAt: null })] }),
    }));
    host.drop();
    await settled();
    expect(stores.host.getState().connection).toBe('lost');
    clock.run();
    await settled();
    host.publish('session:s1', 12, delta(12, 'the '));
    host.publish('session:s1', 13, delta(13, 'clock.'));
    await settled();
    paint();
    expect(shownText()).toBe('It was the clock.');
  });

  it('turns to another session and stops being told of the last one', async () => {
    const { host, stores, paint, shownText } = await syncedWindow();
    host.publish('session:s1', 11, delta(11, 'late'));
    await settled();
    stores.ui.setState({ openSessionId: 's2' });
    expect(stores.session.getState()).toMatchObject({ sessionId: 's2', state: null });
    await settled();
    paint();
    expect(host.last('session/unsubscribe')).toEqual({ sessionId: 's1' });
    expect(host.last('session/subscribe')).toEqual({ sessionId: 's2' });
    expect(shownText()).toBe('');
  });

  it('forgets an open session that is gone: at the start, or deleted by another window', async () => {
    const { stores: started } = await syncedWindow('gone');
    expect(started.ui.getState().openSessionId).toBeNull();
    const { host, stores, paint } = await syncedWindow();
    host.publish('host', 2, { type: 'session/removed', sessionId: 's1' });
    await settled();
    paint();
    expect(stores.ui.getState().openSessionId).toBeNull();
    expect(stores.session.getState().state).toBeNull();
  });

  it('says when the host refuses, and stays quiet about a lost connection', async () => {
    const { host, stores, clock } = await syncedWindow();
    host.answer('session/subscribe', () => new Error('The store is damaged.'));
    stores.ui.setState({ openSessionId: 's2' });
    await settled();
    expect(stores.ui.getState().notices).toMatchObject([{ message: 'The store is damaged.' }]);
    host.drop();
    await settled();
    clock.run();
    expect(stores.ui.getState().notices).toHaveLength(1);
  });
});

it('The end of a run is told with its session to open; a failure stays until it was read', async () => {
  const { host, stores } = await syncedWindow();
  const ended = { type: 'schedule/ended', name: 'Report', reason: null, detail: '' } as const;
  host.publish('host', 2, { ...ended, state: 'ran', sessionId: 's2' });
  host.publish('host', 3, { ...ended, state: 'missed', reason: 'asleep', sessionId: null });
  host.publish('host', 4, {
    ...ended,
    state: 'failed',
    reason: 'error',
    detail: 'Ollama is gone.',
    sessionId: 's2',
  });
  await settled();
  const [ran, missed, failed] = stores.ui.getState().notices;
  expect(ran).toMatchObject({ message: '“Report” ran.', news: true, opens: 's2' });
  expect(missed).toMatchObject({ message: '“Report” was missed.', advice: 'The computer was asleep.' });
  expect(missed?.opens).toBeUndefined();
  expect(failed).toMatchObject({ message: '“Report” failed.', advice: 'Ollama is gone.', opens: 's2' });
  expect(failed?.news).toBeUndefined();
});
