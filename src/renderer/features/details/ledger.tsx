import type { RequestUsage, Turn } from '../../../protocol/model.ts';
import { details as text } from '../../text.ts';
import { count } from '../../../text/format.ts';
import { BarKey } from '../../components/bar.tsx';
import { rereadWords } from '../../components/reread-words.ts';
import { latestTurn, totalUsage } from '../../stores/derive.ts';
import { turnTime } from '../../stores/figures.ts';
import { isCostly, readingOf, rereadsOf, totalReading, type ReadingTotals } from '../../stores/readings.ts';
import { useSession } from '../../stores/stores.ts';
import { useSessionParts } from './use-session-parts.ts';

/** What each request of the turn made the engine read: had, new, read again and why. */
export function Ledger() {
  const turn = useSession((session) => latestTurn(session.state));
  return (
    <section className="sec">
      <h2>
        {text.ledger.title}
        <span className="meta">{text.ledger.unit}</span>
      </h2>
      {!turn ? (
        <p className="t3">{text.ledger.empty}</p>
      ) : turn.usage.length === 0 ? (
        <p className="t3">{turn.endedAt === null ? text.ledger.nothingYet : text.ledger.nothing}</p>
      ) : turn.usage.every(isUncounted) ? (
        <Uncounted turn={turn} />
      ) : (
        <LedgerTable turn={turn} />
      )}
    </section>
  );
}

/** Neither the engine nor Andiron's own account, which the receipt shows too, tells what was read. */
function isUncounted(request: RequestUsage): boolean {
  const { cached, fresh } = readingOf(request);
  return cached === null && fresh === null;
}

/** What is known, instead of a table of unknowns. */
function Uncounted({ turn }: { turn: Turn }) {
  const { requests, output } = totalUsage(turn.usage);
  return (
    <>
      <div className="spread">
        <span>{text.ledger.requests}</span>
        <span>{count(requests)}</span>
      </div>
      {output !== null && (
        <div className="spread">
          <span>{text.ledger.written}</span>
          <span>{count(output)}</span>
        </div>
      )}
      <p className="meta saved">{text.ledger.uncounted}</p>
    </>
  );
}

/** Older requests of a long turn are in the sum only. */
const listed = 12;

function LedgerTable({ turn }: { turn: Turn }) {
  const total = totalReading(turn.usage);
  const workedMs = turn.endedAt === null ? null : turnTime(turn, turn.endedAt).workedMs;
  const session = useWholeSession();
  const hidden = Math.max(0, turn.usage.length - listed);
  const shown = turn.usage.slice(-listed);
  const longest = Math.max(1, ...shown.map((request) => lengthOf(readingOf(request))));
  return (
    <>
      <table className="kv ledger">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">{text.ledger.request}</span>
            </th>
            <th scope="col">
              <BarKey look="b-cached">{text.ledger.cached}</BarKey>
            </th>
            <th scope="col">
              <BarKey look="b-new">{text.ledger.fresh}</BarKey>
            </th>
            <th scope="col">
              <BarKey look={isCostly(total, workedMs) ? 'b-reread' : 'b-reread is-small'}>
                {text.ledger.reread}
              </BarKey>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="sum">
            <th scope="row">{text.ledger.turn}</th>
            <Figure value={total.cached} />
            <Figure value={total.fresh} />
            <Figure value={total.reread} warn={isCostly(total, workedMs)} />
          </tr>
          {session && (
            <tr>
              <th scope="row">{text.ledger.session}</th>
              <Figure value={session.cached} />
              <Figure value={session.fresh} />
              <Figure value={session.reread} />
            </tr>
          )}
          {hidden > 0 && (
            <tr>
              <th scope="row" colSpan={4}>
                {text.ledger.more(hidden)}
              </th>
            </tr>
          )}
          {shown.map((request, index) => (
            <RequestRow
              key={request.requestId}
              request={request}
              number={hidden + index + 1}
              longest={longest}
            />
          ))}
        </tbody>
      </table>
      {rereadsOf(turn.usage)
        .slice(0, 3)
        .map((reread) => (
          <p className="meta saved" key={`${reread.cause}:${reread.owner ?? ''}`}>
            {rereadWords(reread)}
          </p>
        ))}
      {total.cached !== null && total.cached > 0 && (
        <p className="meta saved">{text.ledger.saved(total.cached)}</p>
      )}
    </>
  );
}

/** All turns, where all are here and there is more than one; else null. */
function useWholeSession(): ReadingTotals | null {
  const whole = useSession((session) => session.state?.hasOlder === false);
  const usages = useSessionParts(({ state }) => state?.turns.map(({ usage }) => usage) ?? []);
  const asked = usages.filter((usage) => usage.length > 0);
  return whole && asked.length > 1 ? totalReading(asked.flat()) : null;
}

function RequestRow(props: { request: RequestUsage; number: number; longest: number }) {
  const { request, number, longest } = props;
  const reading = readingOf(request);
  return (
    <tr>
      <th scope="row">
        {number}. {requestWords(request)}
        <RequestBar reading={reading} longest={longest} />
      </th>
      <Figure value={reading.cached} />
      <Figure value={reading.fresh} />
      <Figure value={reading.reread} warn={isCostly(reading, null)} />
    </tr>
  );
}

const lengthOf = ({ cached, fresh, reread }: ReadingTotals): number => (cached ?? 0) + (fresh ?? 0) + reread;

/** The same three figures as lengths, on one scale for all requests; the figures beside it are its words. */
function RequestBar({ reading, longest }: { reading: ReadingTotals; longest: number }) {
  const { cached, fresh, reread } = reading;
  if (cached === null || fresh === null) return null;
  const parts = [
    { look: 'f-cached', tokens: cached },
    { look: 'f-new', tokens: fresh },
    { look: isCostly(reading, null) ? 'f-reread' : 'f-reread is-small', tokens: reread },
  ];
  let before = 0;
  return (
    <svg className="request-bar" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ look, tokens }) => {
        const x = (before / longest) * 100;
        before += tokens;
        return (
          tokens > 0 && (
            <rect key={look} className={look} x={x} y={0} width={(tokens / longest) * 100} height={3} />
          )
        );
      })}
    </svg>
  );
}

/** Whose request it was: the agent's own, one beside its work (a plan, a summary), or a subagent's. */
function requestWords({ iteration, parentCallId }: RequestUsage): string {
  if (parentCallId !== undefined) return text.ledger.subagent;
  return iteration === 0 ? text.ledger.side : text.ledger.request;
}

function Figure({ value, warn = false }: { value: number | null; warn?: boolean }) {
  return <td className={warn ? 'warn' : undefined}>{value === null ? text.ledger.unknown : count(value)}</td>;
}
