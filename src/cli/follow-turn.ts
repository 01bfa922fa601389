/** One message and all that follows, until its turn is over: the answer as it is written, and how it ended. */
import { AndironError, type WireError } from '../protocol/errors.ts';
import type { SessionEvent, TurnEvent } from '../protocol/events.ts';
import { sessionTopic } from '../protocol/frames.ts';
import type { Approval, Item, ToolDisplay, ToolItem, TurnStatus } from '../protocol/model.ts';
import { answerMark } from '../rules/answer-mark.ts';
import type { HostRpc } from './host-rpc.ts';

/** What is heard of a turn; each is called in the order of the events. */
export interface TurnListener {
  onEvent?: (event: SessionEvent) => void;
  /** A piece of the answer. */
  onText: (text: string) => void;
  onTextEnd: () => void;
  /** The answer may read as more than it is: a sentence to stand under it. */
  onMark: (mark: string) => void;
  onModel: (model: string) => void;
  /** So many turns of others have the GPU before it. */
  onLine?: (ahead: number) => void;
  onTool: (tool: ToolItem) => void;
  onPlan: (steps: readonly string[]) => void;
  onQuestion: (question: Question) => void;
  /** The question of this item was answered, here or elsewhere. */
  onResolved: (itemId: string) => void;
}

export interface Question {
  itemId: string;
  approval: Approval;
  /** What it would change. */
  preview: ToolDisplay | null;
}

export interface TurnResult {
  turnId: string;
  status: TurnStatus;
  /** The last text of the turn. */
  text: string;
  /** What stands under it where it may read as more than it is; null = nothing. */
  mark: string | null;
  /** The output limit ended the answer. */
  cut: boolean;
  error: WireError | null;
}

/** Of a turn that has no answer; null = the host that worked on it is gone. */
export const turnFailure = (error: WireError | null): AndironError =>
  error
    ? new AndironError(error.code, error.message, error.advice)
    : new AndironError('internal', 'Andiron ended before the answer was complete.', 'Send it again.');

export interface FollowDeps {
  rpc: HostRpc;
  sessionId: string;
  /** Sends the message; resolves with the id of its turn. */
  send: () => Promise<{ turnId: string }>;
  listener: TurnListener;
  /** Fires when the turn is to be stopped. */
  signal: AbortSignal;
  /** The connection follows the session anyway, and goes on to: a host counts it once, however many turns are followed. */
  isFollowed?: boolean;
}

/**
 * Resolves however the turn ends, also when it can never begin because no model can be used. Rejects with AndironError where
 * the message is refused or the connection is lost.
 */
export async function followTurn({
  rpc,
  sessionId,
  send,
  listener,
  signal,
  isFollowed = false,
}: FollowDeps): Promise<TurnResult> {
  const over = Promise.withResolvers<TurnResult>();
  // It may fail before anybody waits.
  over.promise.catch(() => undefined);
  const early: SessionEvent[] = [];
  let follower: TurnFollower | undefined;
  const topic = sessionTopic(sessionId);
  const stopListening = rpc.onEvent((name, _seq, event) => {
    if (name !== topic) return;
    if (follower) follower.take(event as SessionEvent);
    else early.push(event as SessionEvent);
  });
  rpc.onClose(() => over.reject(new AndironError('disconnected', 'The connection to Andiron was lost.')));
  try {
    if (!isFollowed) await rpc.call('session/subscribe', { sessionId });
    if (signal.aborted) throw new AndironError('cancelled', 'Stopped before it began.');
    const { turnId } = await send();
    const stop = (): void => {
      rpc.call('turn/stop', { sessionId, turnId }).catch(over.reject);
    };
    follower = new TurnFollower({
      turnId,
      listener,
      stop,
      onOver: over.resolve,
      isThere: async () => {
        const { snapshot } = await rpc.call('session/subscribe', { sessionId });
        return snapshot.turns.some(({ id }) => id === turnId);
      },
    });
    for (const event of early) follower.take(event);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return await over.promise.finally(() => signal.removeEventListener('abort', stop));
  } finally {
    stopListening();
    if (!isFollowed) rpc.call('session/unsubscribe', { sessionId }).catch(() => undefined);
  }
}

interface FollowerDeps {
  turnId: string;
  listener: TurnListener;
  stop: () => void;
  onOver: (result: TurnResult) => void;
  /** Whether the session still has the turn. */
  isThere: () => Promise<boolean>;
}

const noModel: WireError = {
  code: 'engine_unavailable',
  message: 'No model can be used now.',
  advice: 'Start Ollama, or install a model. "andiron models" lists those that are there.',
};
const heldByPerson: WireError = {
  code: 'busy',
  message: 'The queue of this session waits after a stop.',
  advice: 'Send or remove the waiting messages in Andiron, or use another session.',
};

class TurnFollower {
  readonly #deps: FollowerDeps;
  /** Texts of the agent itself, by item. */
  readonly #texts = new Map<string, string>();
  #status: TurnStatus = 'queued';
  #text = '';
  #mark: string | null = null;
  #cut = false;
  #error: WireError | null = null;
  readonly #tools = new Map<string, ToolItem>();

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
  }

  take(event: SessionEvent): void {
    if (event.turnId !== this.#deps.turnId) return;
    this.#deps.listener.onEvent?.(event);
    this.#apply(event.event);
  }

  #apply(event: TurnEvent): void {
    const handle = this.#handlers[event.type] as ((event: TurnEvent) => void) | undefined;
    handle?.(event);
  }

  /** Of what is not named here a person reads nothing. */
  readonly #handlers: { [K in TurnEvent['type']]?: (event: Extract<TurnEvent, { type: K }>) => void } = {
    'turn/queued': ({ turn }) => turn.waitsFor && this.#giveUp(turn.waitsFor),
    'turn/held': ({ waitsFor }) => this.#giveUp(waitsFor),
    'turn/withdrawn': () => void this.#endIfGone(),
    'turn/started': () => (this.#status = 'running'),
    'turn/phase': ({ ahead }) => ahead !== undefined && this.#deps.listener.onLine?.(ahead),
    'turn/model': ({ model }) => this.#deps.listener.onModel(model),
    'item/started': ({ item }) => this.#begin(item),
    'item/delta': ({ itemId, text }) => this.#append(itemId, text),
    'item/rewritten': (event) => this.#rewrite(event),
    'item/completed': ({ itemId }) => this.#texts.has(itemId) && this.#deps.listener.onTextEnd(),
    'tool/started': ({ itemId }) => {
      const tool = this.#tools.get(itemId);
      if (tool) this.#deps.listener.onTool(tool);
    },
    'approval/requested': ({ itemId, approval, preview }) =>
      this.#deps.listener.onQuestion({ itemId, approval, preview }),
    'approval/resolved': ({ itemId }) => this.#deps.listener.onResolved(itemId),
    'turn/finished': ({ cut }) => {
      this.#status = 'finished';
      this.#cut = cut === true;
    },
    'turn/stopped': () => (this.#status = 'stopped'),
    'turn/failed': ({ error }) => {
      this.#status = 'failed';
      this.#error = error;
    },
    'turn/capped': () => (this.#status = 'max_iterations'),
    'turn/interrupted': () => (this.#status = 'interrupted'),
    'turn/closed': () => this.#over(),
  };

  #begin(item: Item): void {
    if (item.kind === 'tool') this.#tools.set(item.id, item);
    if (item.parentCallId !== undefined) return;
    const mark = answerMark(item);
    if (mark !== undefined) {
      this.#mark = mark;
      this.#deps.listener.onMark(mark);
    }
    if (item.kind === 'text') {
      this.#texts.set(item.id, '');
      this.#append(item.id, item.text);
    }
  }

  #append(itemId: string, text: string): void {
    const before = this.#texts.get(itemId);
    if (before === undefined) return;
    this.#texts.set(itemId, before + text);
    this.#text = before + text;
    if (text !== '') this.#deps.listener.onText(text);
  }

  /** What was written already stays: a call that was read out of it is shown once more as a tool. */
  #rewrite({ itemId, text, steps }: Extract<TurnEvent, { type: 'item/rewritten' }>): void {
    if (steps) this.#deps.listener.onPlan(steps.map((step) => step.text));
    const before = this.#texts.get(itemId);
    if (before === undefined) return;
    if (text.startsWith(before)) this.#append(itemId, text.slice(before.length));
    else {
      this.#texts.set(itemId, text);
      this.#text = text;
    }
  }

  /** Nobody is here who could send it later: it is taken back. */
  #giveUp(waitsFor: 'person' | 'model'): void {
    this.#error = waitsFor === 'model' ? noModel : heldByPerson;
    this.#status = 'failed';
    this.#deps.stop();
  }

  /** A queue that is put into another order takes its turns back for a moment. */
  async #endIfGone(): Promise<void> {
    if (await this.#deps.isThere().catch(() => false)) return;
    if (this.#error === null) this.#status = 'stopped';
    this.#over();
  }

  #over(): void {
    const { turnId, onOver } = this.#deps;
    onOver({
      turnId,
      status: this.#status,
      text: this.#text,
      mark: this.#mark,
      cut: this.#cut,
      error: this.#error,
    });
  }
}
