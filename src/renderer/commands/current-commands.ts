import type { TurnPermission } from '../../protocol/model.ts';
import { isBusy, isHeldToLooking, latestTurn } from '../stores/derive.ts';
import type { OpenSessionStore } from '../stores/session-store.ts';
import { addNews, addNotice } from '../stores/ui-store.ts';
import { commands as text, transcript } from '../text.ts';
import type { Stores } from '../stores/stores.ts';
import { command, type Command, type HostConnection } from './command.ts';

const { whole } = transcript;

interface OfSessions {
  'session/fork': Command<{ sessionId: string }>;
  'session/pin': Command<{ sessionId: string; pinned: boolean }>;
  'session/delete': Command<{ sessionId: string }>;
  'session/export': Command<{ sessionId: string }>;
  'session/export-markdown': Command<{ sessionId: string }>;
  'session/compact': Command<{ sessionId: string }>;
  'session/reset': Command<{ sessionId: string }>;
  'turn/regenerate': Command<{ turnId: string; allow?: TurnPermission[] }>;
  'turn/choose-version': Command<{ turnId: string }>;
}

/** What can be done with any session, done with the open one: for menu, palette and keys, which can say nothing more. */
export function createCurrentCommands(
  connection: HostConnection,
  { host, session, ui }: Stores,
  registry: OfSessions,
) {
  const current = () => {
    const { openSessionId } = ui.getState();
    return host.getState().sessions.find(({ id }) => id === openSessionId);
  };
  const isOpen = (): boolean => current() !== undefined;
  /** Not while something runs in it. */
  const isAtRest = (): boolean => {
    const status = current()?.status;
    return status === 'idle' || status === 'failed';
  };
  const ofCurrent = (run: (sessionId: string) => void | Promise<unknown>) => async (): Promise<void> => {
    const open = current();
    if (open) await run(open.id);
  };
  const same = (id: Exclude<keyof OfSessions, 'session/pin' | `turn/${string}`>) =>
    ofCurrent((sessionId) => registry[id].run({ sessionId }));
  const whenOpen = { enabled: isOpen, why: () => text.why.noSession };
  const whenAtRest = { enabled: isAtRest, why: () => text.why.notAtRest };

  return {
    'current/pin': command({
      ...whenOpen,
      run: async () => {
        const open = current();
        if (open) await registry['session/pin'].run({ sessionId: open.id, pinned: !open.pinned });
      },
    }),
    'current/fork': command({ ...whenOpen, run: same('session/fork') }),
    'current/export': command({ ...whenOpen, run: same('session/export') }),
    'current/export-markdown': command({ ...whenOpen, run: same('session/export-markdown') }),
    /** All of it, however much is drawn, as the same Markdown that is exported. */
    'current/copy': command({
      ...whenOpen,
      run: ofCurrent(async (sessionId) => {
        const { markdown } = await connection.call('session/export-markdown', { sessionId });
        try {
          await navigator.clipboard.writeText(markdown);
          addNews(ui, whole.copied);
        } catch {
          addNotice(ui, whole.notCopied.message, whole.notCopied.advice);
        }
      }),
    }),
    'current/compact': command({ ...whenAtRest, run: same('session/compact') }),
    'current/reset': command({ ...whenAtRest, run: same('session/reset') }),
    /** One press takes it back; a turn that runs would not go on, so it is stopped by hand first. */
    'current/delete': command({ ...whenAtRest, run: same('session/delete') }),
    'current/regenerate': command({
      enabled: () =>
        isAtRest() && latestTurn(session.getState().state) !== undefined && !isBusy(session.getState()),
      why: () => text.why.noAnswer,
      run: async () => {
        const turn = latestTurn(session.getState().state);
        if (turn) await registry['turn/regenerate'].run({ turnId: turn.id });
      },
    }),
    'current/version-before': otherVersionCommand(session, isAtRest, registry, -1),
    'current/version-after': otherVersionCommand(session, isAtRest, registry, 1),
    /** The newest message again, where the model took it for one that asks for no change. */
    'current/allow-changes': command({
      enabled: () => {
        const turn = latestTurn(session.getState().state);
        return isAtRest() && turn !== undefined && isHeldToLooking(turn) && !isBusy(session.getState());
      },
      why: () => text.why.notHeld,
      run: async () => {
        const turn = latestTurn(session.getState().state);
        if (turn) await registry['turn/regenerate'].run({ turnId: turn.id, allow: ['change', 'run'] });
      },
    }),
  };
}

/** To the version before or after, of the newest message that has several. */
function otherVersionCommand(
  session: OpenSessionStore,
  isAtRest: () => boolean,
  registry: Pick<OfSessions, 'turn/choose-version'>,
  step: -1 | 1,
) {
  const beside = (): string | undefined => {
    const turn = session.getState().state?.turns.findLast(({ versions, replaced }) => versions && !replaced);
    return turn?.versions?.[turn.versions.indexOf(turn.id) + step];
  };
  return command({
    enabled: () => isAtRest() && !isBusy(session.getState()) && beside() !== undefined,
    why: () => text.why.noVersion,
    run: async () => {
      const turnId = beside();
      if (turnId !== undefined) await registry['turn/choose-version'].run({ turnId });
    },
  });
}
