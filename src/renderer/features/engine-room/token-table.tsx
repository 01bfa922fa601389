/** Turn by turn what the model had to read: cached, new, re-read and why. A turn opens into its requests. */
import { useState } from 'react';
import type { RequestUsage, Turn } from '../../../protocol/model.ts';
import { visibleText } from '../../../rules/visible-text/visible-text.ts';
import { count, seconds } from '../../formats.ts';
import { tokenTable as text } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { rereadWords } from '../../components/reread-words.ts';
import { Mark } from '../../components/state-mark.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { totalUsage } from '../../stores/derive.ts';
import { turnTime } from '../../stores/figures.ts';
import { isCostly, readingOf, rereadsOf, totalReading, type ReadingTotals } from '../../stores/readings.ts';
import { useSession } from '../../stores/stores.ts';
import { useSessionParts } from '../../stores/use-session-parts.ts';
import styles from './engine-room.module.css';
import timelineStyles from './timeline.module.css';

/** Older turns are in the sum only. */
const listedTurns = 50;
/** As are older requests of a long turn. */
const listedRequests = 12;

export function TokenTable() {
  const turns = useSessionParts(({ state }) => state?.turns.filter(({ usage }) => usage.length > 0) ?? []);
  const whole = useSession((session) => session.state?.hasOlder === false);
  return (
    <section className={styles.section} aria-labelledby="token-table">
      <h3 id="token-table">
        {text.title}
        <span className="meta">{text.scope}</span>
      </h3>
      {turns.length === 0 ? (
        <p className="t3">{text.empty}</p>
      ) : (
        <table className={styles.tokens}>
          <thead>
            <tr>
              {[text.turn, text.steps, text.cached, text.fresh, text.reread, text.written, text.time].map(
                (name) => (
                  <th scope="col" key={name}>
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {turns
              .toReversed()
              .slice(0, listedTurns)
              .map((turn) => (
                <TurnRows key={turn.id} turn={turn} />
              ))}
            {whole && turns.length > 1 && <SumRow turns={turns} />}
          </tbody>
        </table>
      )}
    </section>
  );
}

const stepsOf = ({ usage }: Turn): number =>
  usage.filter(({ parentCallId }) => parentCallId === undefined).length;

function TurnRows({ turn }: { turn: Turn }) {
  const [open, setOpen] = useState(false);
  const running = useElapsed(turn.endedAt === null ? turn.startedAt : null);
  const { workedMs } = turnTime(turn, (turn.startedAt ?? 0) + running);
  const reading = totalReading(turn.usage);
  const [costliest] = rereadsOf(turn.usage);
  const costly = isCostly(reading, turn.endedAt === null ? null : workedMs);
  const words = turn.text === '' ? text.noWords : turn.text;
  return (
    <>
      <tr>
        <th scope="row">
          <button
            type="button"
            className={styles.opens}
            aria-expanded={open}
            title={visibleText(words)}
            onClick={() => setOpen(!open)}
          >
            {turn.status === 'running' ? (
              <Mark icon="running" tone="run" />
            ) : (
              <Icon name={open ? 'down' : 'right'} />
            )}
            <span className="cut" dir="auto">
              <VisibleText text={words} oneLine />
            </span>
          </button>
        </th>
        <td>{count(stepsOf(turn))}</td>
        <Readings reading={reading} costly={costly} />
        <Figure value={totalUsage(turn.usage).output} />
        <td>{seconds(workedMs)}</td>
      </tr>
      {open && <Requests turn={turn} />}
      {(open || costly) && costliest && (
        <tr className={styles.cause}>
          <td colSpan={7}>{rereadWords(costliest)}</td>
        </tr>
      )}
    </>
  );
}

function SumRow({ turns }: { turns: readonly Turn[] }) {
  const usage = turns.flatMap((turn) => turn.usage);
  return (
    <tr className={styles.sum}>
      <th scope="row">{text.session}</th>
      <td>{count(turns.reduce((sum, turn) => sum + stepsOf(turn), 0))}</td>
      <Readings reading={totalReading(usage)} costly={false} />
      <Figure value={totalUsage(usage).output} />
      <td>{seconds(turns.reduce((sum, turn) => sum + endedMs(turn), 0))}</td>
    </tr>
  );
}

/** One that runs is counted when it has ended. */
const endedMs = (turn: Turn): number => (turn.endedAt === null ? 0 : turnTime(turn, turn.endedAt).workedMs);

function Requests({ turn: { usage } }: { turn: Turn }) {
  const shown = usage.slice(-listedRequests);
  const hidden = usage.length - shown.length;
  const longest = Math.max(1, ...shown.map((request) => lengthOf(readingOf(request))));
  return (
    <>
      {hidden > 0 && (
        <tr className={styles.request}>
          <th scope="row" colSpan={7}>
            {text.more(hidden)}
          </th>
        </tr>
      )}
      {shown.map((request, at) => (
        <RequestRow key={request.requestId} request={request} number={hidden + at + 1} longest={longest} />
      ))}
    </>
  );
}

function RequestRow(props: { request: RequestUsage; number: number; longest: number }) {
  const { request, number, longest } = props;
  const reading = readingOf(request);
  return (
    <tr className={styles.request}>
      <th scope="row" colSpan={2}>
        {number}. {requestWords(request)}
        <RequestBar reading={reading} longest={longest} />
      </th>
      <Readings reading={reading} costly={isCostly(reading, null)} />
      <Figure value={request.outputTokens} />
      <td>
        {request.promptMs === null || request.outputMs === null
          ? text.unknown
          : seconds(request.promptMs + request.outputMs)}
      </td>
    </tr>
  );
}

const lengthOf = ({ cached, fresh, reread }: ReadingTotals): number => (cached ?? 0) + (fresh ?? 0) + reread;

/** The same three figures as lengths, on one scale for all requests; the figures beside it are its words. */
function RequestBar({ reading, longest }: { reading: ReadingTotals; longest: number }) {
  const { cached, fresh, reread } = reading;
  if (cached === null || fresh === null) return null;
  const parts = [
    { className: timelineStyles.fCached, tokens: cached },
    { className: timelineStyles.fNew, tokens: fresh },
    {
      className: isCostly(reading, null)
        ? timelineStyles.fReread
        : `${timelineStyles.fReread} ${timelineStyles.small}`,
      tokens: reread,
    },
  ];
  let before = 0;
  return (
    <svg className={styles.bar} viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ className, tokens }) => {
        const x = (before / longest) * 100;
        before += tokens;
        return (
          tokens > 0 && (
            <rect
              key={className}
              className={className}
              x={x}
              y={0}
              width={(tokens / longest) * 100}
              height={3}
            />
          )
        );
      })}
    </svg>
  );
}

/** Whose request it was: the agent's own, one beside its work (a plan, a summary), or a subagent's. */
function requestWords({ iteration, parentCallId }: RequestUsage): string {
  if (parentCallId !== undefined) return text.subagent;
  return iteration === 0 ? text.side : text.request;
}

function Readings({
  reading: { cached, fresh, reread },
  costly,
}: {
  reading: ReadingTotals;
  costly: boolean;
}) {
  return (
    <>
      <Figure value={cached} />
      <Figure value={fresh} />
      <Figure value={reread} warn={costly} />
    </>
  );
}

function Figure({ value, warn = false }: { value: number | null; warn?: boolean }) {
  return <td className={warn ? 'warn' : undefined}>{value === null ? text.unknown : count(value)}</td>;
}
