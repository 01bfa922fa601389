/** Everything a view stands on, filled from fixtures. No host is connected: what is pressed says so in a notice. */
import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { WindowEngineMethods } from '../connection/engine-methods.ts';
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { App } from '../app/create-app.ts';
import { createCommands } from '../commands/commands.ts';
import { pageHighlighter } from '../components/code/highlighter.ts';
import { directLexer } from '../components/markdown/reader.ts';
import { pageDrawings } from '../components/drawings/drawings.ts';
import { createWorkerStarter } from '../components/page-worker.ts';
import { Connection, type ConnectionClock } from '../connection/connection.ts';
import type { HostStoreState } from '../stores/host-store.ts';
import { createOutbox } from '../stores/outbox.ts';
import { noStorage } from '../stores/storage.ts';
import { createStores, type Stores } from '../stores/stores.ts';
import { answeringEngine, type Answers } from './answering-engine.ts';
import { answers, gpuTimeline } from './engine-fixtures.ts';
import { engineState, openSession, profiles, sessionList, working } from './fixtures.ts';
import type { EngineState, ProfileProblem, SessionSnapshot } from '../../protocol/model.ts';
import type { UiState } from '../stores/ui-store.ts';

export interface WorldOptions {
  now: number;
  /** null = no session is open. */
  session?: SessionSnapshot | null;
  engine?: EngineState | null;
  problems?: ProfileProblem[];
  ui?: Partial<UiState>;
  host?: Partial<HostStoreState>;
  /** What the engine answers in place of what it usually does. */
  engineAnswers?: Answers;
  /** What the agent host answers; without it nothing does. */
  hostAnswers?: Answers;
  /** Around the page; absent = a browser. */
  desktop?: DesktopBridge;
  /** What lies beside the built page. */
  built?: unknown;
}

const nowhere: ConnectionClock = { after: () => () => undefined, random: () => 0 };
const unreachable = (): Promise<never> => Promise.reject(new Error('The gallery is not connected.'));

export function createWorld(options: WorldOptions): App {
  const { hostAnswers, engineAnswers } = options;
  const stores = createStores(noStorage);
  fill(stores, options);
  const services = {
    host: new Connection<HostMethods>(hostAnswers ? answeringEngine(hostAnswers) : unreachable, nowhere),
    engine: new Connection<WindowEngineMethods>(answeringEngine({ ...answers, ...engineAnswers }), nowhere),
    stores,
    desktop: options.desktop ?? null,
    signOut: () => Promise.resolve(),
    notifier: null,
    files: {
      save: () => Promise.resolve('handed-over' as const),
      pick: () => Promise.resolve(null),
      choose: () => Promise.resolve([]),
      built: () => Promise.resolve(options.built ?? null),
    },
    outbox: createOutbox(noStorage, ''),
    newTurnId: () => '',
    now: () => options.now,
  };
  services.engine.start();
  if (hostAnswers) services.host.start();
  const startWorker = createWorkerStarter(window);
  return {
    services,
    commands: createCommands(services, false),
    highlighter: pageHighlighter(window, startWorker),
    markdown: directLexer,
    drawings: pageDrawings(window, startWorker),
  };
}

/** Its turn runs, and neither a tool nor a question is what it waits for. */
export function modelWorks({ turns, items }: SessionSnapshot): boolean {
  const waits = items.some(
    (item) => item.kind === 'tool' && (item.state === 'running' || item.state === 'awaiting_approval'),
  );
  return turns.at(-1)?.status === 'running' && !waits;
}

function fill(stores: Stores, options: WorldOptions): void {
  const { now, session = null, problems = [], ui } = options;
  const given = options.engine === undefined ? engineState(now) : options.engine;
  const isWorking = given?.lease != null || (session !== null && modelWorks(session));
  const engine = given && isWorking ? working(given) : given;
  stores.host.setState({
    connection: 'live',
    sessions: sessionList(now, session?.session ?? openSession).slice(session ? 0 : 1),
    profiles,
    problems,
    defaults: { profileId: 'developer', workspace: openSession.workspace },
    ...options.host,
  });
  stores.engine.setState({ connection: 'live', engine, timeline: gpuTimeline(now, isWorking) });
  stores.session.setState({ sessionId: session?.session.id ?? null, state: session });
  stores.ui.setState({ openSessionId: session?.session.id ?? null, ...ui });
}
