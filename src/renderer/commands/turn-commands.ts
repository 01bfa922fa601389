import type { Attachment } from '../../protocol/attachments.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { ApprovalDecision } from '../../protocol/model.ts';
import { isBusy, latestTurn, queuedTurns } from '../stores/derive.ts';
import { attachmentsOf, readyFile, type DraftFile } from '../stores/draft-files.ts';
import { unsentWords } from '../stores/recall.ts';
import { stillSending } from '../stores/session-store.ts';
import {
  draftKey,
  newSessionKey,
  requestFocus,
  setDraft,
  setDraftFiles,
  setRecall,
  setCommandDraft,
} from '../stores/ui-store.ts';
import { commands as texts } from '../text.ts';
import { command, type Services } from './command.ts';
import { wordsOf, type ErrorWords } from './error-words.ts';

const refused: ErrorCode = 'invalid_params';
/** What was sent can be put right by the one who wrote it. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === refused;

/** Turns: send, stop, queue, approve, go on. */
export function createTurnCommands({ host, stores, now }: Services) {
  const { session, ui } = stores;
  const openSessionId = (): string | null => ui.getState().openSessionId;

  /** The session of the first message is made with what was chosen for it. */
  const ensureSession = async (): Promise<string> => {
    const open = openSessionId();
    if (open !== null) return open;
    const { model, ...choice } = ui.getState().newSession;
    const created = await host.call('session/create', choice);
    const sessionId = created.session.id;
    if (model) await host.call('session/update', { sessionId, model });
    // What was written while the session was made goes on in it.
    const { drafts, draftFiles } = ui.getState();
    setDraft(ui, sessionId, drafts[newSessionKey] ?? '');
    setDraft(ui, newSessionKey, '');
    setDraftFiles(ui, sessionId, draftFiles[newSessionKey] ?? []);
    setDraftFiles(ui, newSessionKey, []);
    ui.setState({ openSessionId: sessionId, newSession: {} });
    return sessionId;
  };

  const send = async (text: string): Promise<void> => {
    const message = text.trim();
    const files = filesFor(text);
    const attachments = attachmentsOf(files);
    if (message === '' && attachments.length === 0) return;
    // None is left behind without a word: one that is on its way, or did not arrive, is first.
    if (session.getState().sending || attachments.length < files.length) return;
    takeDraft(text);
    try {
      await begin({ text: message, attachments }, async () => {
        const sessionId = await ensureSession();
        const ids = attachments.map(({ id }) => id);
        return await host.call('turn/start', {
          sessionId,
          text: message,
          ...(ids.length > 0 && { attachments: ids }),
        });
      });
    } catch (error) {
      putBack(text, files);
      throw error;
    }
  };

  const isDraft = (text: string): boolean => text === (ui.getState().drafts[draftKey(openSessionId())] ?? '');

  /** Those that wait in the box go with what is written in it, and with nothing else that is sent. */
  const filesFor = (text: string): DraftFile[] =>
    (isDraft(text) ? ui.getState().draftFiles[draftKey(openSessionId())] : undefined) ?? [];

  /** Out of the box, which then shows what was not sent when an earlier message was recalled. */
  const takeDraft = (text: string): void => {
    if (!isDraft(text)) return;
    const key = draftKey(openSessionId());
    setDraft(ui, key, unsentWords(ui.getState().recalls[key]));
    setRecall(ui, key, null);
    setDraftFiles(ui, key, []);
  };

  /** Shown as on its way from the first moment, so that Stop is there before the host has answered. */
  const begin = async (
    message: { text: string; attachments?: Attachment[] },
    start: () => Promise<{ turnId: string }>,
  ): Promise<void> => {
    session.setState({ sending: { ...message, since: now(), turnId: null, stopRequested: false } });
    try {
      const { turnId } = await start();
      const sessionId = openSessionId();
      if (sessionId !== null && session.getState().sending?.stopRequested) {
        await host.call('turn/stop', { sessionId, turnId });
      }
      session.setState(({ sending, state }) => {
        const sent = sending && { ...sending, turnId };
        return { sending: state ? stillSending(sent, state) : sent };
      });
    } catch (error) {
      session.setState({ sending: null });
      throw error;
    }
  };

  /** Nothing is lost: it stands before what was written meanwhile. */
  const putBack = (text: string, files: DraftFile[] = []): void => {
    const key = draftKey(openSessionId());
    const { drafts, draftFiles } = ui.getState();
    const texts = [text, drafts[key] ?? ''];
    setDraft(ui, key, texts.filter((written) => written !== '').join('\n\n'));
    setDraftFiles(ui, key, [...files, ...(draftFiles[key] ?? [])]);
    requestFocus(ui, 'composer');
  };

  /** What another version of a turn goes on with. */
  const filesOf = (turnId: string): { attachments?: Attachment[] } => {
    const turn = session.getState().state?.turns.find(({ id }) => id === turnId);
    return turn?.attachments ? { attachments: turn.attachments } : {};
  };

  const withdraw = async (turnId: string): Promise<void> => {
    const sessionId = openSessionId();
    if (sessionId !== null) await host.call('turn/stop', { sessionId, turnId });
  };

  return {
    'turn/send': command<{ text: string }>({ run: ({ text }) => send(text) }),
    'turn/stop': command({
      keys: 'Escape',
      // Escape closes what lies over the transcript first, and leads back to it.
      enabled: () => {
        const { sheet, view } = ui.getState();
        return sheet === null && view === 'session' && isBusy(session.getState());
      },
      why: texts.why.notRunning,
      run: async () => {
        const { sending } = session.getState();
        const sessionId = openSessionId();
        if (sending && sending.turnId === null) {
          session.setState({ sending: { ...sending, stopRequested: true } });
        } else if (sessionId !== null) {
          await host.call('turn/stop', { sessionId });
        }
      },
    }),
    'turn/withdraw': command<{ turnId: string }>({
      run: async ({ turnId }) => {
        await withdraw(turnId);
        // The button that was pressed is gone with its row.
        requestFocus(ui, 'composer');
      },
    }),
    'turn/edit-queued': command<{ turnId: string; text: string }>({
      run: async (change) => {
        const sessionId = openSessionId();
        if (sessionId !== null) await host.call('turn/edit-queued', { sessionId, ...change });
      },
    }),
    /** Before the message that now stands before it. */
    'turn/move-up': command<{ turnId: string }>({
      run: async ({ turnId }) => {
        const sessionId = openSessionId();
        const queue = queuedTurns(session.getState().state);
        const before = queue[queue.findIndex((turn) => turn.id === turnId) - 1];
        if (sessionId !== null && before) {
          await host.call('turn/move', { sessionId, turnId, before: before.id });
        }
      },
    }),
    /** Starts a queue that was left over when Andiron ended. */
    'turn/resume': command({
      enabled: () => !isBusy(session.getState()) && queuedTurns(session.getState().state).length > 0,
      why: texts.why.noMessage,
      run: async () => {
        const sessionId = openSessionId();
        if (sessionId === null) return;
        await host.call('turn/resume', { sessionId });
        requestFocus(ui, 'composer');
      },
    }),
    /** The turn and all after it become an earlier version. */
    'turn/edit': command<{ turnId: string; text: string }>({
      run: async ({ turnId, text }) => {
        const sessionId = openSessionId();
        const message = text.trim();
        if (sessionId === null || (message === '' && !filesOf(turnId).attachments)) return;
        await begin({ text: message, ...filesOf(turnId) }, () =>
          host.call('turn/edit', { sessionId, turnId, text: message }),
        );
        ui.setState({ editing: null });
        requestFocus(ui, 'composer');
      },
    }),
    'turn/regenerate': command<{ turnId: string }>({
      run: async ({ turnId }) => {
        const sessionId = openSessionId();
        const turn = session.getState().state?.turns.find(({ id }) => id === turnId);
        if (sessionId === null || !turn) return;
        await begin({ text: turn.text, ...filesOf(turnId) }, () =>
          host.call('turn/regenerate', { sessionId, turnId }),
        );
        requestFocus(ui, 'composer');
      },
    }),
    /** The message of the newest turn, back into the box to be changed. */
    'turn/restore-message': command({
      enabled: () => latestTurn(session.getState().state) !== undefined,
      why: texts.why.noMessage,
      run: () => {
        const turn = latestTurn(session.getState().state);
        if (turn)
          putBack(
            turn.text,
            turn.attachments?.map((attachment) => readyFile(attachment)),
          );
      },
    }),
    'approval/answer': command<{
      approvalId: string;
      decision: ApprovalDecision;
      scope: 'once' | 'session';
      /** The command as the person wrote it anew. */
      edited?: string;
      /** Hears why that cannot run, instead of a notice: the question stands as it was. */
      onRefused?: (why: ErrorWords) => void;
    }>({
      run: async ({ onRefused, ...answer }) => {
        const sessionId = openSessionId();
        if (sessionId === null) return;
        try {
          await host.call('approval/answer', { sessionId, ...answer });
        } catch (error) {
          if (!onRefused || answer.edited === undefined || !isRefused(error)) throw error;
          onRefused(wordsOf(error));
          return;
        }
        setCommandDraft(ui, answer.approvalId, null);
        requestFocus(ui, 'composer');
      },
    }),
    /** One subagent; the turn goes on. */
    'agent/stop': command<{ callId: string }>({
      run: async ({ callId }) => {
        const sessionId = openSessionId();
        if (sessionId !== null) await host.call('agent/stop', { sessionId, callId });
      },
    }),
    /** One call, such as a command that runs; the turn goes on. */
    'call/stop': command<{ callId: string }>({
      run: async ({ callId }) => {
        const sessionId = openSessionId();
        if (sessionId !== null) await host.call('call/stop', { sessionId, callId });
      },
    }),
    'approval/focus': command({
      keys: 'Alt+A',
      enabled: () => session.getState().state?.session.status === 'asking',
      why: texts.why.noQuestion,
      run: () => requestFocus(ui, 'approval'),
    }),
  };
}
