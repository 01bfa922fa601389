/** Tells a session item by item, so that fixtures read like what happened. */
import type {
  ChangedFile,
  Item,
  RequestUsage,
  SessionSnapshot,
  SessionSummary,
  ToolItem,
  Turn,
} from '../../protocol/model.ts';

type Stamp = Pick<Item, 'id' | 'turnId' | 'index' | 'startedAt' | 'completedAt' | 'cut'>;
type Unstamped<T> = T extends unknown ? Omit<T, keyof Stamp> : never;
/** An item as it is told: its stamp only where it differs from the usual. */
type Told = Unstamped<Item> & Partial<Stamp>;

export interface Story {
  turn(text: string, changes?: Partial<Turn>): void;
  say(told: Told): void;
  call(tool: string, subject: string, changes?: Partial<ToolItem>): void;
  usage(request: Partial<RequestUsage>): void;
  snapshot(session: SessionSummary, changes?: Partial<SessionSnapshot>): SessionSnapshot;
}

const turnLength = 60_000;

export function reportStory(now: number): Story {
  const items: Item[] = [];
  const turns: Turn[] = [];
  const current = (): Turn => {
    const turn = turns.at(-1);
    if (!turn) throw new Error('A story begins with a turn.');
    return turn;
  };

  const say = (told: Told): void => {
    items.push({
      id: `item_${items.length}`,
      turnId: current().id,
      index: items.length,
      startedAt: now - 8_000,
      completedAt: now - 2_000,
      cut: false,
      ...told,
    });
  };

  return {
    say,
    turn(text, changes = {}) {
      turns.push({
        id: `turn_${turns.length}`,
        status: 'finished',
        text,
        profileId: 'developer',
        model: 'qwen3.8:27b',
        phase: null,
        phaseSince: null,
        queuedAt: now - turnLength,
        startedAt: now - turnLength,
        endedAt: now,
        closed: true,
        iterations: 1,
        usage: [],
        ...changes,
      });
      if (current().status !== 'queued') say({ kind: 'user', text });
    },
    call(tool, subject, changes = {}) {
      say({
        kind: 'tool',
        callId: `call_${items.length}`,
        tool,
        args: { path: subject },
        subject,
        state: 'done',
        output: '',
        result: '',
        display: null,
        sandboxed: null,
        approval: null,
        decision: null,
        repairs: [],
        runMs: 120,
        ...changes,
      });
    },
    usage(request) {
      const turn = current();
      turn.usage.push({
        requestId: `request_${turn.id}_${turn.usage.length}`,
        iteration: turn.usage.length + 1,
        model: turn.model ?? '',
        profileId: turn.profileId,
        promptTokens: 8_280,
        cachedTokens: 6_640,
        evaluatedTokens: 1_640,
        outputTokens: 212,
        promptMs: 2_000,
        outputMs: 6_235,
        loadMs: 0,
        waitedMs: 2_090,
        ...request,
      });
    },
    snapshot: (session, changes = {}) => ({
      session,
      turns,
      items,
      hasOlder: false,
      context: {
        usedTokens: 21_480,
        windowTokens: 32_768,
        estimated: false,
        parts: { headTokens: 1_640, openingTokens: 210 },
      },
      ...recordOf(items),
      ...changes,
    }),
  };
}

const untouched: Omit<ChangedFile, 'path'> = {
  added: 0,
  removed: 0,
  created: false,
  isGone: false,
  kind: 'file',
  turns: [],
  undone: false,
};

/** What the host writes down of the files that calls changed. */
function recordOf(items: readonly Item[]): Pick<SessionSnapshot, 'files'> {
  const files = new Map<string, ChangedFile>();
  for (const item of items) {
    if (item.kind !== 'tool' || item.state !== 'done' || item.display?.kind !== 'diff') continue;
    const { path, added, removed } = item.display;
    const known = files.get(path) ?? { ...untouched, path };
    files.set(path, {
      ...known,
      added: known.added + added,
      removed: known.removed + removed,
      turns: [...new Set([...known.turns, item.turnId])],
    });
  }
  return files.size === 0 ? {} : { files: [...files.values()] };
}
