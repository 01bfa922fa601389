import { expect, it } from 'vitest';
import type { EngineState, LoadedModel, ModelInfo } from '../../protocol/model.ts';
import { createSlotWatch } from './slot-watch.ts';

const aModel = (name: string, digest: string): ModelInfo => ({
  name,
  digest,
  sizeBytes: 1,
  family: '',
  parameterSize: '',
  quantization: '',
  capabilities: null,
  trainedContext: null,
  thinkingValues: null,
  modifiedAt: '',
});
const loaded = (name: string): LoadedModel => ({
  name,
  sizeBytes: 1,
  vramBytes: 1,
  contextTokens: null,
  expiresAt: '',
  asPlanned: null,
});
type Seen = Pick<EngineState, 'loaded' | 'loading' | 'models'>;
const models = [aModel('qwen3:8b', 'd1'), aModel('mine:latest', 'd1'), aModel('other:7b', 'd2')];

function watched() {
  const listeners: (() => void)[] = [];
  let state: Seen | undefined = { models, loaded: [loaded('qwen3:8b')], loading: null };
  const slots = createSlotWatch({ state: () => state, onState: (listener) => void listeners.push(listener) });
  const becomes = (over: Partial<Seen> | undefined): void => {
    state = over && { models, loaded: [], loading: null, ...over };
    for (const listener of listeners) listener();
  };
  slots.closedWhileLinesCame('qwen3:8b');
  return { slots, becomes };
}

it('a slot is suspected until a line comes', () => {
  const { slots } = watched();
  expect(slots.suspect('qwen3:8b')).toBe(true);
  slots.answered('qwen3:8b');
  expect(slots.suspect('qwen3:8b')).toBe(false);
});

it.each<[string, Partial<Seen>]>([
  ['left memory, as with an engine that was started again', {}],
  ['gave way to another', { loaded: [loaded('other:7b')] }],
  [
    'is loaded again',
    { loaded: [loaded('qwen3:8b')], loading: { model: 'qwen3:8b', since: 0, expectedMs: null } },
  ],
])('a model that %s has another slot, which nobody suspects', (_, state) => {
  const { slots, becomes } = watched();
  becomes(state);
  becomes({ loaded: [loaded('qwen3:8b')] });
  expect(slots.suspect('qwen3:8b')).toBe(false);
});

it.each<[string, Partial<Seen> | undefined]>([
  ['stays loaded', { loaded: [loaded('qwen3:8b'), loaded('other:7b')] }],
  ['is held under the name of its copy', { loaded: [loaded('mine:latest')] }],
  ['cannot be asked about', undefined],
])('a model that %s keeps the suspicion', (_, state) => {
  const { slots, becomes } = watched();
  becomes(state);
  expect(slots.suspect('qwen3:8b')).toBe(true);
});
