import type { Approval, Turn } from '../../../protocol/model.ts';
import {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react';
import type { SessionState } from '../../../protocol/reducer.ts';
import { transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { WrapMemoryContext } from '../../components/code/wrapped.tsx';
import { FolderPictureContext } from '../../components/markdown/folder-pictures.ts';
import { MarkdownLexerContext } from '../../components/markdown/page-lexer.ts';
import { keyboardScrollable } from '../../components/scroll-region.tsx';
import { useCommands } from '../../commands/commands.ts';
import { askingCall, isEmptySession, latestTurn } from '../../stores/derive.ts';
import { historyOf, type History, type Past } from '../../stores/pages.ts';
import type { Sending } from '../../stores/session-store.ts';
import { useSession, useUi } from '../../stores/stores.ts';
import { AtEndContext } from './at-end.ts';
import { RowBuilder, type Expanded } from './build-rows.ts';
import type { Row } from './rows.ts';
import { FindBar } from './find-bar.tsx';
import { FirstStart } from './first-start.tsx';
import { drawFolderPicture } from './folder-picture.tsx';
import { rowHeight } from './row-heights.ts';
import { QuestionAbove } from './question-above.tsx';
import { RowView } from './row-view.tsx';
import { StickToEnd } from './stick-to-end.ts';
import { useJump } from './use-jump.ts';
import { usePages } from './use-pages.ts';
import { useSelectWhole } from './use-select-whole.ts';
import { useTravel } from './use-travel.ts';
import { useVirtualRows } from './virtual-rows.ts';
import { useRowInView, WaitingNotice } from './waiting-notice.tsx';
import { useWrapMemory } from './use-wrap-memory.ts';
import { visibleText } from '../../../rules/visible-text/visible-text.ts';
import cardStyles from './card.module.css';
import styles from './transcript.module.css';

/** The conversation of the open session. */
export function Transcript() {
  const sessionId = useUi((ui) => ui.openSessionId);
  const state = useSession((session) => session.state);
  const past = useSession((session) => session.past);
  const sending = useSession((session) => session.sending);
  const empty = useSession(isEmptySession);
  const wraps = useWrapMemory();
  return (
    <>
      <Announcer />
      {empty ? (
        <FirstStart />
      ) : (
        // A key of its own: another session begins at its own end, not where the last one was left.
        <WrapMemoryContext value={wraps}>
          <FolderPictureContext value={drawFolderPicture}>
            <Feed key={sessionId ?? 'new'} state={state} past={past} sending={sending} />
          </FolderPictureContext>
        </WrapMemoryContext>
      )}
    </>
  );
}

const nothing: History = { turns: [], items: [], hasOlder: false, hasNewer: false };

interface FeedProps {
  state: SessionState | null;
  past: Past | null;
  sending: Sending | null;
}

function Feed({ state, past, sending }: FeedProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const feed = useRef<HTMLDivElement>(null);
  const { run } = useCommands();
  const history = useMemo(() => state && historyOf(state, past), [state, past]);
  const expanded = useUi((ui) => ui.expanded);
  const rows = useRows(history ?? nothing, state?.items[0]?.index ?? 0, sending, expanded);
  const apart = history?.hasNewer ?? false;
  const ends = useStickToEnd(scroller, feed, !apart);
  const { atEnd, toEnd, leave } = ends;
  const anchored = useAnchoredTurn(state);
  const visible = useVirtualRows(scroller, {
    count: rows.length,
    anchor: apart ? -1 : rows.findLastIndex((row) => isQuestionOf(row, anchored)),
    key: (index) => rows[index]?.key ?? '',
    estimate: (index) => {
      const row = rows[index];
      return row ? rowHeight(row, expanded) : 0;
    },
    held: ends.held,
  });
  const sought = useUi((ui) => ui.sought);
  const { scrollTo } = visible;
  const show = useCallback(
    (index: number) => {
      leave();
      scrollTo(index, 'center');
    },
    [leave, scrollTo],
  );
  useJump(history, rows, show);
  useTravel(scroller, rows, visible, ends);
  usePages(scroller, history);
  const asking = useSession((session) => askingCall(session.state));
  const askingAt = asking
    ? rows.findIndex((row) => row.kind === 'approval' && row.item.id === asking.id)
    : -1;
  const askSeen = useRowInView(
    scroller,
    askingAt,
    visible.rows.some(({ index }) => index === askingAt),
  );
  const showQuestion = useCallback(() => {
    // At the end its buttons are in view whatever its height.
    if (askingAt === -1 || askingAt >= rows.length - 2) toEnd();
    else show(askingAt);
  }, [askingAt, rows.length, toEnd, show]);
  useTakeFocus(scroller, showQuestion);
  const whole = useSelectWhole(scroller);

  // A message of one's own is always shown, wherever the transcript was left.
  useLayoutEffect(() => {
    if (!sending) return;
    if (apart) void run('transcript/end');
    else toEnd();
  }, [sending, apart, run, toEnd]);

  return (
    <>
      <FindBar />
      <QuestionAbove rows={rows} visible={visible} onGo={show} />
      {/* Live announcements are the Announcer's: a log that reads out every token would never be quiet. */}
      <div
        ref={scroller}
        className={styles.scroll}
        role="log"
        aria-label={text.label}
        aria-live="off"
        {...keyboardScrollable}
      >
        <div
          ref={feed}
          className={whole ? `${styles.feed} ${styles.whole}` : styles.feed}
          style={{ minHeight: `calc(100% + ${String(visible.aboveAnchor)}px)` }}
        >
          <h2 className="sr-only">{text.label}</h2>
          {state === null && !sending && <Skeleton label={text.loading} />}
          {history?.hasOlder && <p className={`${styles.older} meta`}>{text.olderComes}</p>}
          <div style={{ height: visible.before }} />
          <AtEndContext value={ends.held}>
            {visible.rows.map(({ index, key }) => {
              const row = rows[index];
              return (
                row && (
                  <div
                    key={key}
                    data-index={index}
                    ref={visible.measure}
                    {...cellLook(row, index === 0 && !history?.hasOlder, row.key === sought)}
                  >
                    <RowView row={row} />
                  </div>
                )
              );
            })}
          </AtEndContext>
          <div style={{ height: visible.after }} />
        </div>
      </div>
      <output className="sr-only">{whole && text.whole.selected}</output>
      <BelowView question={askSeen ? null : (asking?.approval ?? null)} atEnd={atEnd} />
    </>
  );
}

/** The turn that was sent, or runs, since the session was opened: its message stands at the top, in every version. */
function useAnchoredTurn(state: SessionState | null): string | null {
  const [turnId, setTurnId] = useState<string | null>(null);
  const running = state?.turns.findLast(({ status }) => status === 'running')?.id ?? null;
  if (running !== null && running !== turnId) setTurnId(running);
  const isShown = ({ id, replaced, versions }: Turn): boolean =>
    !replaced && turnId !== null && (id === turnId || versions?.includes(turnId) === true);
  return state?.turns.findLast(isShown)?.id ?? turnId;
}

const isQuestionOf = (row: Row, turnId: string | null): boolean =>
  row.kind === 'sending' || (row.kind === 'user' && row.item.turnId === turnId);

/** What waits further down: a question that nobody sees, else the newest. */
function BelowView({ question, atEnd }: { question: Approval | null; atEnd: boolean }) {
  const { run } = useCommands();
  return (
    <div className={styles.toEndPlace}>
      {question ? (
        <WaitingNotice approval={question} />
      ) : (
        !atEnd && (
          <Button small icon="down" className={styles.toEnd} onClick={() => void run('transcript/end')}>
            {text.toEnd}
          </Button>
        )
      )}
    </div>
  );
}

const joined = {
  above: styles.joinsAbove,
  below: styles.joinsBelow,
  both: styles.joinsBoth,
};

/** `first`: nothing will ever stand above it. */
function cellLook(row: Row, first: boolean, sought: boolean) {
  const place = first ? styles.first : row.newTurn && styles.newTurn;
  const joins = row.joins && joined[row.joins];
  const classes = [
    styles.cell,
    place,
    joins,
    row.inside !== undefined && styles.inside,
    row.inPlan === 'work' && styles.step,
    row.dim && styles.dim,
    sought && styles.sought,
  ];
  return { className: classes.filter(Boolean).join(' '), 'data-found': sought || undefined };
}

/** `reachable`: what is shown goes up to the newest. */
function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  reachable: boolean,
) {
  const [stick] = useState(() => new StickToEnd());
  useLayoutEffect(() => stick.reach(reachable), [stick, reachable]);
  useLayoutEffect(() => stick.attach(scroller.current, content.current), [stick, scroller, content]);
  const { toEnd, leave, atEnd: held } = stick;
  return { atEnd: useSyncExternalStore(stick.subscribe, held), held, toEnd, leave };
}

function useRows(history: History, edge: number, sending: Sending | null, expanded: Expanded): Row[] {
  const lexer = useContext(MarkdownLexerContext);
  const [builder] = useState(() => new RowBuilder(lexer));
  const version = useSyncExternalStore(builder.subscribe, builder.version);
  return useMemo(
    () => builder.build({ ...history, edge }, sending, expanded, version),
    [builder, history, edge, sending, expanded, version],
  );
}

/** Keys can ask for the transcript, or for the question, which exists only where it is in view. */
function useTakeFocus(scroller: RefObject<HTMLElement | null>, showQuestion: () => void): void {
  const focus = useUi((ui) => ui.focus);
  const taken = useRef<typeof focus>(undefined);
  useEffect(() => {
    if (taken.current === focus) return;
    taken.current = focus;
    if (focus.target === 'transcript') scroller.current?.focus();
    if (focus.target === 'approval') showQuestion();
  }, [focus, scroller, showQuestion]);
}

/** Says changes of state aloud. The tokens themselves are not: a screen reader could not keep up. */
function Announcer() {
  const message = useSession(({ state }) => (state ? announcement(state) : ''));
  return <output className="sr-only">{message}</output>;
}

function announcement(state: SessionState): string {
  const turn = latestTurn(state);
  if (!turn) return '';
  const asking = askingCall(state);
  if (asking?.approval) return text.announce.asks(visibleText(asking.approval.summary));
  switch (turn.status) {
    case 'running':
      return text.announce.working;
    case 'finished':
      return turn.cut ? text.announce.cut : text.announce.finished;
    case 'stopped':
      return text.announce.stopped;
    case 'failed':
      return text.announce.failed;
    case 'max_iterations':
      return text.announce.capped;
    case 'interrupted':
      return text.announce.interrupted;
    case 'queued':
      return '';
  }
}

/** Stands where the session will be, without moving. */
function Skeleton({ label }: { label: string }) {
  return (
    <output className={cardStyles.card} aria-label={label}>
      {[62, 78, 45].map((width) => (
        <div className={styles.skeletonRow} key={width}>
          <span className="skel" />
          <span className="skel" style={{ width: `${width}%` }} />
        </div>
      ))}
    </output>
  );
}
