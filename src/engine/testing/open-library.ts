/** A library on a fake Ollama, and pulls whose lines the test writes. */
import { pullLineSchema, type PullLine } from '../../ollama/library.ts';
import type { CallContext } from '../../protocol/rpc-server.ts';
import { createFacts } from '../base/engine-facts.ts';
import { createStateStore, initialState } from '../base/state.ts';
import { fakeDeps, settle, type Fakes } from './fakes.ts';
import { createCatalogue } from '../models/catalogue.ts';
import { ownerAt } from '../../protocol/principal.ts';
import { createLibrary, type LibraryOptions } from '../library/model-library.ts';

const url = 'http://127.0.0.1:11434';
const context: CallContext = {
  connection: { publish() {}, onClose() {} },
  principal: ownerAt('desktop'),
  signal: new AbortController().signal,
};

/** A library on a fake Ollama; what its pulls say is written by the test. */
export async function openLibrary(changes: Partial<Fakes> = {}, options: Partial<LibraryOptions> = {}) {
  const deps = fakeDeps(changes);
  const state = createStateStore({
    ...initialState,
    status: { kind: 'running', url, version: '0.40.2', simulated: false, exposed: false },
  });
  const catalogue = createCatalogue(deps, state, {
    url: () => url,
    watched: () => false,
    facts: createFacts(deps.log),
  });
  const unloaded: string[] = [];
  const library = createLibrary(deps, state, {
    url: () => url,
    onThisMachine: () => true,
    catalogue,
    unload: async (model) => void unloaded.push(model),
    fitOf: () => 'unknown',
    cacheBytesPerToken: () => null,
    ...options,
  });
  await catalogue.read();
  const { handlers } = library;
  return {
    deps,
    state,
    library,
    catalogue,
    unloaded,
    pull: async (model: string) => {
      await handlers['model/pull']({ model }, context);
      await settle();
    },
    pause: (model: string) => handlers['model/pull-pause']({ model }, context),
    forget: (model: string) => handlers['model/pull-forget']({ model }, context),
    remove: async (model: string) => handlers['model/delete']({ model }, context),
    details: async (model: string) => handlers['model/details']({ model }, context),
    entries: async () => (await handlers['library/catalogue']({}, context)).entries,
    lacking: async (models: string[]) =>
      (await handlers['library/lacking-room']({ models }, context)).lacking,
    pulls: () => state.current().pulls,
    pulled: () => deps.ollama.sent.filter((sent) => sent.call === 'pull').length,
  };
}

export const line = (fields: object): PullLine => pullLineSchema.parse(fields);
export const layer = (completed: number, total = 1_000, digest = 'sha256:a'): PullLine =>
  line({ status: 'pulling a', digest, total, completed });
export const success = line({ status: 'success' });

/** A stream that the test writes; an abort ends it as the wire would. */
function writable() {
  const streams: { push: (item: PullLine | Error) => Promise<void>; closed: boolean }[] = [];
  const onPull = async function* (_: string, signal: AbortSignal): AsyncGenerator<PullLine> {
    const items: (PullLine | Error)[] = [];
    let wake = Promise.withResolvers<void>();
    const stream = {
      closed: false,
      async push(item: PullLine | Error) {
        items.push(item);
        wake.resolve();
        await settle();
      },
    };
    streams.push(stream);
    signal.addEventListener('abort', () => wake.resolve(), { once: true });
    try {
      for (;;) {
        if (signal.aborted) throw signal.reason;
        const item = items.shift();
        if (item instanceof Error) throw item;
        if (item) yield item;
        else {
          await wake.promise;
          wake = Promise.withResolvers<void>();
        }
        if (item?.done) return;
      }
    } finally {
      stream.closed = true;
    }
  };
  const newest = () => {
    const stream = streams.at(-1);
    if (!stream) throw new Error('Nothing was pulled.');
    return stream;
  };
  return { onPull, newest, push: (item: PullLine | Error) => newest().push(item) };
}

/** While a model is being pulled: `push` says its next line, or how the connection ends. */
export async function openPulling(
  changes: Partial<Fakes> = {},
  options: Partial<LibraryOptions> = {},
  model = 'new:1b',
) {
  const house = await openLibrary(changes, options);
  const stream = writable();
  house.deps.ollama.onPull = stream.onPull;
  await house.pull(model);
  return { ...house, ...stream };
}
