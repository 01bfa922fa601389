import type { EngineState } from '../../protocol/model.ts';
import { currentTarget } from '../stores/derive.ts';
import { withStep, type FirstRunMemory, type FirstRunStep } from '../stores/first-run-memory.ts';
import { draftKey, requestFocus, setDraft } from '../stores/ui-store.ts';
import { commands as text } from '../text.ts';
import type { Stores } from '../stores/stores.ts';
import { command, inOpenSession, type EngineConnection, type HostConnection } from './command.ts';

/** This is a demo. */
export function isSimulated(engine: EngineState | null): boolean {
  return engine?.status.kind === 'running' && engine.status.simulated;
}

interface FirstRunParts {
  host: HostConnection;
  engine: EngineConnection;
  stores: Stores;
  send: (text: string) => Promise<void>;
  /** Leaves for another page. */
  goTo: (address: string) => void;
}

/** The first start: in and out of it, its folder, its task and its demo; and the exam of a model. */
export function createFirstRunCommands({ host, engine, stores, send, goTo }: FirstRunParts) {
  const { ui, session } = stores;

  const remember = (change: (memory: FirstRunMemory) => FirstRunMemory): void =>
    ui.setState(({ firstRun }) => ({ firstRun: change(firstRun) }));

  const newSession = (): void =>
    ui.setState({ openSessionId: null, view: 'session', sheet: null, sought: null, newSession: {} });

  return {
    /** At any time: what was done stays done. */
    'first-run/open': command({
      run: () => {
        newSession();
        remember((memory) => ({ ...memory, shown: 'open' }));
      },
    }),
    'first-run/leave': command({
      enabled: () => ui.getState().firstRun.shown === 'open',
      why: () => text.why.noFirstRun,
      run: () => {
        remember((memory) => ({ ...memory, shown: 'left' }));
        requestFocus(ui, 'composer');
      },
    }),
    'first-run/step-done': command<{ step: FirstRunStep }>({
      run: ({ step }) => remember((memory) => withStep(memory, step)),
    }),
    /** A fresh copy of the sample project, in which the first task works. */
    'first-run/sample-folder': command({
      run: async () => {
        const { workspace } = await host.call('sample/copy', {});
        ui.setState((state) => ({ newSession: { ...state.newSession, workspace } }));
      },
    }),
    'first-run/write': command<{ text: string }>({
      run: ({ text: words }) => setDraft(ui, draftKey(ui.getState().openSessionId), words),
    }),
    /** Before a model is ready it waits, and the page with it. */
    'first-run/start': command<{ text: string }>({
      enabled: () => session.getState().sending === null,
      run: async ({ text: message }) => {
        await send(message);
        if (ui.getState().openSessionId !== null) remember((memory) => withStep(memory, 'task'));
      },
    }),
    /** Back into its field; nothing is taken back that has begun meanwhile. */
    'first-run/take-back': command<{ turnId: string; text: string }>({
      run: inOpenSession(stores, async (sessionId, { turnId, text: words }) => {
        await host.call('turn/stop', { sessionId, turnId });
        setDraft(ui, sessionId, words);
      }),
    }),
    /** In a window of its own on the desktop; a browser goes to its address, and back with its own button. */
    'first-run/demo': command({
      enabled: () => !isSimulated(stores.engine.getState().engine),
      why: () => text.why.inDemo,
      run: async () => {
        const { address } = await engine.call('demo/open', {});
        if (address !== null) goTo(address);
      },
    }),
    /** Under the head that the next session begins with, so that it is read afterwards. */
    'exam/begin': command<{ model: string }>({
      run: async ({ model }) => {
        const { profile } = currentTarget(
          stores.host.getState(),
          ui.getState(),
          session.getState().state?.session,
        );
        const profileId = profile?.id ?? stores.host.getState().defaults?.profileId;
        if (profileId !== undefined) await host.call('exam/begin', { model, profileId });
      },
    }),
    'exam/cancel': command({
      enabled: () => (stores.host.getState().exam ?? null) !== null,
      why: () => text.why.noExam,
      run: () => host.call('exam/cancel', {}),
    }),
  };
}
