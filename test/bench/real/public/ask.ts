/** One question in Andiron's own loop on a real engine, with a few functions as its only tools; it ends at the first call. */
import { profileFileSchema, type Profile } from '../../../../src/protocol/model.ts';
import type { TurnEvent } from '../../../../src/protocol/events.ts';
import { AndironError } from '../../../../src/protocol/errors.ts';
import { EngineClient } from '../../../../src/host/engine-client/engine-client.ts';
import type { Ports } from '../../../../src/host/loop/ports.ts';
import { runTurn } from '../../../../src/host/loop/run-turn.ts';
import { createModels, type Models } from '../../../../src/host/models/create-models.ts';
import { buildHead } from '../../../../src/host/prompt/head.ts';
import { personMessage } from '../../../../src/host/prompt/person-message.ts';
import { createOllamaProvider } from '../../../../src/host/providers/ollama.ts';
import { openStore } from '../../../../src/host/store/store.ts';
import { createMemoryLog } from '../../../../src/host/subagents/memory-log.ts';
import { quietServices } from '../../../../src/host/tools/testing.ts';
import type { Tool } from '../../../../src/host/tools/tool.ts';
import { randomId, systemClock } from '../../../../src/platform/clock.ts';
import { silentLog } from '../../../../src/platform/log.ts';
import { createTransportPair } from '../../../../src/protocol/transport.ts';
import { startEngine } from '../../../helpers/host-world.ts';
import { allTools } from '../../../helpers/proven-models.ts';
import { functionTool, type MadeCall } from './function-tools.ts';
import type { PublicQuestion } from './sets.ts';

const capMs = 120_000;
const maxReplies = 4;

/** What came of a question: a call, an answer without one, or neither. */
export interface Reaction {
  call: MadeCall | null;
  /** The turn ended with an answer. */
  hasAnswered: boolean;
  /** Code of the error with which it ended; null = with none. */
  error: string | null;
}

export interface Asker {
  /** Rejects only for faults of Andiron; one of the engine or the model is a reaction without call and answer. */
  ask(question: PublicQuestion): Promise<Reaction>;
  close(): Promise<void>;
}

/** @param folder for what is learnt of the model, from one question to the next */
export function openAsker(options: {
  url: string;
  model: string;
  seed: number;
  folder: string;
  simulated?: boolean;
}): Asker {
  const { url, model, seed, folder, simulated = false } = options;
  // Timers of engine and host keep no process alive.
  const alive = setInterval(() => undefined, capMs);
  const room = startEngine(url, simulated);
  const engine = new EngineClient({ clock: systemClock, newId: randomId, log: silentLog });
  const [clientEnd, engineEnd] = createTransportPair();
  room.connect(engineEnd);
  engine.attach(clientEnd);
  const store = openStore({ dataDir: folder, log: silentLog, newId: randomId });
  const models = createModels({
    store,
    engine,
    profiles: { resolve: () => profileFor([], seed), list: () => [], persona: () => '' },
    tools: new Map(),
    clock: systemClock,
    newId: randomId,
    log: silentLog,
    onAbilities: () => undefined,
  });
  return {
    ask: (question) => askOne(question, { model, seed, engine, models }),
    async close() {
      clearInterval(alive);
      store.close();
      await room.stop();
    },
  };
}

interface AskParts {
  model: string;
  seed: number;
  engine: EngineClient;
  models: Models;
}

async function askOne(question: PublicQuestion, parts: AskParts): Promise<Reaction> {
  const stop = new AbortController();
  let call: MadeCall | null = null;
  let hasAnswered = false;
  let error: string | null = null;
  const bugs: unknown[] = [];
  const tools = question.functions.map((each) =>
    functionTool(each, (made) => {
      call ??= made;
      stop.abort(new AndironError('cancelled', 'The question is answered by its first call.'));
    }),
  );
  const onEvent = (event: TurnEvent): void => {
    if (event.type === 'turn/finished') hasAnswered = true;
    if (event.type === 'turn/failed') error = event.error.code;
  };
  const ports = portsFor(tools, parts, onEvent, (bug) => bugs.push(bug));
  const input = { sessionId: 'public', turnId: question.id, profileId: 'public', mayPlan: false };
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(capMs)]);
  await runTurn({ ...input, message: personMessage(question.text) }, ports, signal);
  if (bugs.length > 0) throw bugs[0];
  return { call, hasAnswered: hasAnswered && call === null, error };
}

function profileFor(tools: readonly Tool[], seed: number): Profile {
  const file = profileFileSchema.parse({
    name: 'Questions',
    tools: tools.map(({ name }) => name),
    maxIterations: maxReplies,
    firstTokenTimeoutS: 600,
    sampling: { seed },
  });
  return {
    ...file,
    id: 'public',
    builtIn: true,
    systemPrompt:
      'You are a helpful assistant. You can call functions. Where none of them fits, answer in words.',
    subagentPrompt: '',
    persona: '',
  };
}

function portsFor(
  offered: readonly Tool[],
  { model, seed, engine, models }: AskParts,
  onEvent: (event: TurnEvent) => void,
  onBug: (error: unknown) => void,
): Ports {
  const tools = new Map(offered.map((tool) => [tool.name, tool]));
  const profile = profileFor(offered, seed);
  const never = new AbortController().signal;
  let index = 0;
  return {
    model: {
      provider: { ...createOllamaProvider(systemClock), isMetered: true },
      engine,
      active: () => ({
        profile,
        head: buildHead(profile, '', tools),
        toolsets: allTools,
        think: profile.think,
        pinnedModel: model,
      }),
      templates: models.templates,
      models: models.abilities,
      tracker: models.trackers.of('public'),
      slots: models.slots,
      proof: { prove: () => Promise.resolve({ found: 'failed' }), closing: never, preempted: never },
      fallbacks: () => undefined,
      readingSpeed: (name) => models.rates.of(name),
      reportRefusedGrammar: () => undefined,
    },
    history: {
      log: createMemoryLog('public'),
      journal: { started: () => undefined, ended: () => undefined },
      opening: () => '',
      recalled: () => null,
    },
    tools: {
      sessionId: 'public',
      tools,
      workspace: {
        path: '',
        advice: () => null,
        entries: () => Promise.resolve([]),
        look: () => Promise.resolve({ passed: false, text: '' }),
      },
      ...quietServices(),
      agents: null,
      authorize: () => Promise.resolve('allow'),
      reads: { taint: () => null },
    },
    out: {
      emit: onEvent,
      clock: systemClock,
      newId: randomId,
      nextIndex: () => index++,
      said: new Set(),
      reportBug: onBug,
    },
  };
}
