import { currentTarget } from '../stores/derive.ts';
import { withStep, type FirstRunMemory, type FirstRunStep } from '../stores/first-run-memory.ts';
import { requestFocus } from '../stores/ui-store.ts';
import { commands as text } from '../text.ts';
import type { Stores } from '../stores/stores.ts';
import { command, type HostConnection } from './command.ts';
import type { FolderPicker } from './page-files.ts';

/** The first start: in and out of it, its tour, the exam of a model, the first task and what comes after it. */
export function createFirstRunCommands(
  host: HostConnection,
  stores: Stores,
  desktop: FolderPicker | null,
  send: (text: string) => Promise<void>,
) {
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
      why: text.why.noFirstRun,
      run: () => {
        remember((memory) => ({ ...memory, shown: 'left' }));
        requestFocus(ui, 'composer');
      },
    }),
    'first-run/step-done': command<{ step: FirstRunStep }>({
      run: ({ step }) => remember((memory) => withStep(memory, step)),
    }),
    /** On a fresh copy of the sample folder, with the model that was chosen. */
    'first-run/run-task': command<{ text: string; profileId: string }>({
      run: async ({ text: message, profileId }) => {
        const { model } = ui.getState().newSession;
        const { workspace } = await host.call('sample/copy', {});
        newSession();
        ui.setState({ newSession: { workspace, profileId, ...(model && { model }) } });
        remember((memory) => ({ ...memory, shown: 'auto' }));
        // The button that was pressed goes with its page.
        requestFocus(ui, 'composer');
        await send(message);
        remember((memory) => ({ ...withStep(memory, 'task'), task: ui.getState().openSessionId }));
      },
    }),
    /** Something long enough to be stopped in peace, in the session of the first task. */
    'first-run/try-stop': command<{ text: string }>({
      enabled: () => session.getState().sending === null,
      run: ({ text: message }) => send(message),
    }),
    'first-run/hide-hints': command({
      enabled: () => ui.getState().firstRun.task !== null,
      why: text.why.noHints,
      run: () => remember((memory) => ({ ...memory, task: null })),
    }),
    /** A new session: the desktop asks for its folder, in a browser its path is typed. */
    'first-run/own-folder': command({
      run: async () => {
        newSession();
        remember((memory) => ({ ...memory, shown: 'auto', task: null }));
        if (!desktop) {
          requestFocus(ui, 'folder');
          return;
        }
        const workspace = await desktop.chooseFolder();
        if (workspace) ui.setState({ newSession: { workspace } });
        requestFocus(ui, 'composer');
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
      why: text.why.noExam,
      run: () => host.call('exam/cancel', {}),
    }),
  };
}
