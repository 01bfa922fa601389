import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../protocol/events.ts';
import {
  aModel,
  anEngine,
  anItem,
  aProfile,
  aSession,
  aSnapshot,
  aTurn,
  aUsage,
} from '../testing/fixtures.ts';
import { MemoryStorage } from '../testing/window-kit.tsx';
import { currentTarget, effectiveModel, totalUsage } from './derive.ts';
import { applyEngineEvents, createEngineStore } from './engine-store.ts';
import { createFrameBatch } from './frame-batch.ts';
import { applyHostEvents, createHostStore } from './host-store.ts';
import { applySessionEvents, applySessionSnapshot, createSessionStore } from './session-store.ts';
import { addNotice, createUiStore, setDraft } from './ui-store.ts';

describe('a frame batch', () => {
  it('applies everything that came in one frame at once', () => {
    const frames: (() => void)[] = [];
    const applied: number[][] = [];
    const batch = createFrameBatch<number>({ nextFrame: (run) => void frames.push(run) }, (values) =>
      applied.push(values),
    );
    batch.push(1);
    batch.push(2);
    expect(applied).toEqual([]);
    for (const frame of frames.splice(0)) frame();
    batch.push(3);
    for (const frame of frames.splice(0)) frame();
    expect(applied).toEqual([[1, 2], [3]]);
  });

  it('forgets what a newer snapshot contains', () => {
    const frames: (() => void)[] = [];
    const applied: number[][] = [];
    const batch = createFrameBatch<number>({ nextFrame: (run) => void frames.push(run) }, (values) =>
      applied.push(values),
    );
    batch.push(1);
    batch.clear();
    for (const frame of frames) frame();
    expect(applied).toEqual([]);
  });
});

const event = (body: Extract<SessionEvent, { turnId: string }>['event']): SessionEvent => ({
  seq: 1,
  sessionId: 's1',
  at: 1,
  turnId: 't1',
  event: body,
});

describe('the open session', () => {
  const sent = { id: 'turn_9', sessionId: 's1', text: 'x', since: 0, turnId: 't1', stopRequested: false };

  it('keeps a message on its way until the very update that brings it into the transcript', () => {
    const store = createSessionStore();
    applySessionSnapshot(store, aSnapshot());
    store.setState({ sending: sent });
    const seen: unknown[] = [];
    store.subscribe(({ sending, state }) => seen.push([sending !== null, state?.items.length]));
    applySessionEvents(store, [event({ type: 'turn/queued', turn: aTurn({ status: 'queued' }) })]);
    applySessionEvents(store, [event({ type: 'turn/started', profileId: 'developer' })]);
    applySessionEvents(store, [event({ type: 'item/started', item: anItem('user') })]);
    expect(seen).toEqual([
      [true, 0],
      [true, 0],
      [false, 1],
    ]);
  });

  it('drops a message on its way in the very update that puts it into the queue', () => {
    const store = createSessionStore();
    const before = aTurn({ id: 't0', status: 'running' });
    applySessionSnapshot(store, aSnapshot({ turns: [before], items: [anItem('user', { turnId: 't0' })] }));
    store.setState({ sending: sent });
    applySessionEvents(store, [event({ type: 'turn/queued', turn: aTurn({ status: 'queued' }) })]);
    expect(store.getState().sending).toBeNull();
  });
});

describe('host and engine', () => {
  it('take their events over their snapshots', () => {
    const host = createHostStore();
    applyHostEvents(host, [
      { type: 'session/upserted', session: aSession() },
      { type: 'session/upserted', session: aSession({ title: 'Renamed' }) },
      { type: 'session/upserted', session: aSession({ id: 's2' }) },
      { type: 'session/removed', sessionId: 's2' },
    ]);
    expect(host.getState().sessions.map((session) => session.title)).toEqual(['Renamed']);
    expect(host.getState().defaults).toBeNull();

    const engine = createEngineStore();
    engine.setState({ engine: anEngine() });
    applyEngineEvents(engine, [{ type: 'engine/changed', changes: { waiting: 2 } }]);
    expect(engine.getState().engine).toMatchObject({ waiting: 2, models: [aModel()] });
  });
});

describe('what belongs to the window', () => {
  it('survives a reload: theme, columns, drafts, open session', () => {
    const storage = new MemoryStorage();
    const before = createUiStore(storage);
    before.setState({ theme: 'dark', leftOpen: false, openSessionId: 's1' });
    setDraft(before, 's1', 'half a thought');
    const after = createUiStore(storage).getState();
    expect(after).toMatchObject({
      theme: 'dark',
      leftOpen: false,
      openSessionId: 's1',
      drafts: { s1: 'half a thought' },
    });
  });

  it.each(['not json', '[]', 'null', '{"theme":"pink","drafts":{"a":1},"leftOpen":"yes","openSessionId":7}'])(
    'starts afresh from %s',
    (stored) => {
      const storage = new MemoryStorage();
      storage.write('andiron.ui', stored);
      expect(createUiStore(storage).getState()).toMatchObject({
        theme: 'system',
        leftOpen: true,
        openSessionId: null,
        drafts: {},
      });
    },
  );

  it('keeps a limited number of drafts, the newest', () => {
    const store = createUiStore(new MemoryStorage());
    for (let at = 0; at < 60; at += 1) setDraft(store, `s${at}`, 'text');
    const keys = Object.keys(store.getState().drafts);
    expect(keys).toHaveLength(50);
    expect(keys.at(-1)).toBe('s59');
    setDraft(store, 's59', '');
    expect(store.getState().drafts).not.toHaveProperty('s59');
  });

  it('shows the same problem once', () => {
    const store = createUiStore(new MemoryStorage());
    addNotice(store, 'No', 'Try again');
    addNotice(store, 'No', 'Try again');
    expect(store.getState().notices).toHaveLength(1);
  });
});

const targetOf = (model: string | null, of: string[]) => ({
  session: null,
  workspace: null,
  profile: aProfile({ models: of }),
  chosenModel: model,
  chosenApprovals: null,
  hosts: new Set(['lab']),
});

describe('what the next turn will use', () => {
  const host = {
    sessions: [aSession()],
    profiles: [aProfile()],
    defaults: { profileId: 'developer', workspace: '/w' },
    hosts: new Set<string>(),
  };
  const models = [aModel({ name: 'a', capabilities: ['completion'] }), aModel({ name: 'b' }), aModel()];

  it('is the chosen model, else the first of the profile that is installed, else one with tools', () => {
    expect(effectiveModel(targetOf('mine', ['qwen3:8b']), { models })).toBe('mine');
    expect(effectiveModel(targetOf(null, ['gone', 'qwen3:8b']), { models })).toBe('qwen3:8b');
    expect(effectiveModel(targetOf(null, ['gone']), { models })).toBe('b');
    expect(effectiveModel(targetOf(null, []), null)).toBeNull();
  });

  it('is the model of another host where that is chosen, or comes first in the profile', () => {
    expect(effectiveModel(targetOf('lab/big', []), null)).toBe('lab/big');
    expect(effectiveModel(targetOf(null, ['lab/big', 'qwen3:8b']), { models })).toBe('lab/big');
  });

  it('comes from the choices made for a session that does not exist yet', () => {
    const target = currentTarget(
      host,
      { openSessionId: null, newSession: { workspace: '/mine', model: 'b' } },
      undefined,
    );
    expect(target).toMatchObject({
      session: null,
      workspace: '/mine',
      chosenModel: 'b',
      profile: { id: 'developer' },
    });
  });

  it('adds up usage only where every request said it', () => {
    expect(totalUsage([aUsage(), aUsage()])).toEqual({ requests: 2, output: 200 });
    expect(totalUsage([aUsage(), aUsage({ outputTokens: null })])).toEqual({ requests: 2, output: null });
  });
});
