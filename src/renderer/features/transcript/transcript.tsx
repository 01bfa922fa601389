import {
  useCallback,
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
import { keyboardScrollable } from '../../components/scroll-region.tsx';
import { useCommands } from '../../commands/commands.ts';
import { isEmptySession, runningTurn } from '../../stores/derive.ts';
import type { Sending } from '../../stores/session-store.ts';
import { useSession, useUi } from '../../stores/stores.ts';
import { Announcer } from './announcer.tsx';
import { RowBuilder } from './build-rows.ts';
import type { Row } from './rows.ts';
import { FirstStart } from './first-start.tsx';
import { RowView } from './row-view.tsx';
import { Skeleton } from './skeleton.tsx';
import { StickToEnd } from './stick-to-end.ts';
import { useJump } from './use-jump.ts';
import { useVirtualRows } from './virtual-rows.ts';

/** The conversation of the open session. */
export function Transcript() {
  const sessionId = useUi((ui) => ui.openSessionId);
  const state = useSession((session) => session.state);
  const sending = useSession((session) => session.sending);
  const empty = useSession(isEmptySession);
  return (
    <>
      <Announcer />
      {empty ? (
        <FirstStart />
      ) : (
        // A key of its own: another session begins at its own end, not where the last one was left.
        <Feed key={sessionId ?? 'new'} state={state} sending={sending} />
      )}
    </>
  );
}

const nothing: Pick<SessionState, 'turns' | 'items' | 'todo'> = { turns: [], items: [] };
/** Heights before they are measured; only the scroll bar's length depends on them. */
const estimates: Record<Row['kind'], number> = {
  user: 48,
  sending: 76,
  thinking: 28,
  text: 160,
  note: 28,
  tools: 90,
  agent: 64,
  plan: 190,
  summary: 38,
  earlier: 28,
  again: 28,
  approval: 220,
  switch: 38,
  stopped: 110,
  error: 110,
  outcome: 38,
  progress: 28,
  receipt: 34,
};

function Feed({ state, sending }: { state: SessionState | null; sending: Sending | null }) {
  const scroller = useRef<HTMLDivElement>(null);
  const feed = useRef<HTMLDivElement>(null);
  const rows = useRows(state, sending);
  const { atEnd, toEnd, leave } = useStickToEnd(scroller, feed);
  const visible = useVirtualRows(scroller, {
    count: rows.length,
    key: (index) => rows[index]?.key ?? '',
    estimate: (index) => estimates[rows[index]?.kind ?? 'text'],
  });
  const sought = useUi((ui) => ui.sought);
  const { scrollTo } = visible;
  const show = useCallback(
    (index: number) => {
      leave();
      scrollTo(index);
    },
    [leave, scrollTo],
  );
  useJump(state, rows, show);
  useOlderPages(scroller, state);
  useTakeFocus(scroller, toEnd);

  const asks = runningTurn(state)?.phase === 'approval';
  // A message of one's own is always shown, wherever the transcript was left.
  useLayoutEffect(() => {
    if (sending) toEnd();
  }, [sending, toEnd]);

  return (
    <>
      {/* Live announcements are the Announcer's: a log that reads out every token would never be quiet. */}
      <div
        ref={scroller}
        className="scroll"
        role="log"
        aria-label={text.label}
        aria-live="off"
        {...keyboardScrollable}
      >
        <div ref={feed} className="feed">
          <h2 className="sr-only">{text.label}</h2>
          {state === null && !sending && <Skeleton label={text.loading} />}
          <div style={{ height: visible.before }} />
          {visible.rows.map(({ index, key }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  data-index={index}
                  ref={visible.measure}
                  className={cellClass(row, index, row.key === sought)}
                >
                  <RowView row={row} />
                </div>
              )
            );
          })}
          <div style={{ height: visible.after }} />
        </div>
      </div>
      {!atEnd && (
        <div className="to-end-place">
          <Button small icon={asks ? 'wait' : 'down'} className="to-end" onClick={toEnd}>
            {asks ? text.phases.approval : text.toEnd}
          </Button>
        </div>
      )}
    </>
  );
}

function cellClass(row: Row, index: number, sought: boolean): string {
  const place = index === 0 ? 'first' : row.newTurn && 'new-turn';
  const joins = row.joins && `joins-${row.joins}`;
  const classes = [
    'cell',
    place,
    joins,
    row.inside !== undefined && 'inside',
    row.dim && 'dim',
    sought && 'sought',
  ];
  return classes.filter(Boolean).join(' ');
}

function useStickToEnd(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const [stick] = useState(() => new StickToEnd());
  useLayoutEffect(() => stick.attach(scroller.current, content.current), [stick, scroller, content]);
  const { toEnd, leave } = stick;
  return { atEnd: useSyncExternalStore(stick.subscribe, stick.atEnd), toEnd, leave };
}

function useRows(state: SessionState | null, sending: Sending | null): Row[] {
  const [builder] = useState(() => new RowBuilder());
  const expanded = useUi((ui) => ui.expanded);
  return useMemo(
    () => builder.build(state ?? nothing, sending, expanded),
    [builder, state, sending, expanded],
  );
}

/** Reading towards the beginning fetches the page before it; what is read stays where it is. */
function useOlderPages(scroller: RefObject<HTMLElement | null>, state: SessionState | null): void {
  const { run } = useCommands();
  const hasOlder = state?.hasOlder ?? false;
  useEffect(() => {
    const element = scroller.current;
    if (!element || !hasOlder) return;
    const onScroll = (): void => {
      if (element.scrollTop < element.clientHeight) void run('transcript/older');
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller, hasOlder, run]);
}

/** Keys can ask for the transcript, or for the question at its end, which exists only when the end is in view. */
function useTakeFocus(scroller: RefObject<HTMLElement | null>, toEnd: () => void): void {
  const focus = useUi((ui) => ui.focus);
  useEffect(() => {
    if (focus.target === 'transcript') scroller.current?.focus();
    if (focus.target === 'approval') toEnd();
  }, [focus, scroller, toEnd]);
}
