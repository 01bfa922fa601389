import { useId } from 'react';
import type { RequestUsage, Turn } from '../../../protocol/model.ts';
import { count } from '../../../text/format.ts';
import { ledger, transcript as text } from '../../text.ts';
import { Bar, BarKey } from '../../components/bar.tsx';
import { Button } from '../../components/button.tsx';
import { rereadWords } from '../../components/reread-words.ts';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';
import { totalUsage } from '../../stores/derive.ts';
import { turnTime } from '../../stores/figures.ts';
import { isCostly, rereadsOf, speedsOf, totalReading, wasSlow, type Reread } from '../../stores/readings.ts';
import { useExpanded } from './use-expanded.ts';

/** A shorter wait for the person is not worth a word. */
const minShownMs = 1000;

/** What a turn cost: tokens the engine had, tokens it had to read, those it read again and why, requests, time. */
export function Receipt({ turn }: { turn: Turn }) {
  const total = totalUsage(turn.usage);
  const reading = totalReading(turn.usage);
  const running = useElapsed(turn.endedAt === null ? turn.startedAt : null);
  const { workedMs, askedMs } = turnTime(turn, (turn.startedAt ?? 0) + running);
  const { cached, fresh, reread } = reading;
  const known = cached !== null && fresh !== null;
  const costly = isCostly(reading, turn.endedAt === null ? null : workedMs);
  const rereadLook = costly ? 'b-reread' : 'b-reread is-small';
  return (
    <div className="receipt">
      {known ? (
        <Bar
          label={text.receipt.label(cached, fresh, reread)}
          parts={[
            { key: 'cached', look: 'b-cached', value: cached },
            { key: 'new', look: 'b-new', value: fresh },
            { key: 'reread', look: rereadLook, value: reread },
          ]}
        />
      ) : (
        <Bar label={text.receipt.unknownLabel} parts={[]} />
      )}
      <div className="words">
        {known ? (
          <>
            <BarKey look="b-cached">
              <b>{count(cached)}</b> {text.receipt.cached}
            </BarKey>
            <BarKey look="b-new">
              <b>{count(fresh)}</b> {text.receipt.fresh(reading.freshMs)}
            </BarKey>
            {reread > 0 && (
              <span className={costly ? 'warn' : undefined}>
                <BarKey look={rereadLook}>
                  {count(reread)} {text.receipt.reread(reading.rereadMs)}
                </BarKey>
              </span>
            )}
          </>
        ) : (
          <span>{text.receipt.unknown}</span>
        )}
        {total.output !== null && (
          <span>
            <b>{count(total.output)}</b> {text.receipt.written}
          </span>
        )}
        <span className="at-end">
          <span>{text.receipt.turn(workedMs)}</span>
          {askedMs >= minShownMs && <span>{text.receipt.asked(askedMs)}</span>}
          <span>{text.receipt.requests(total.requests)}</span>
          <Speeds usage={turn.usage} />
        </span>
      </div>
      <AgentsShare usage={turn.usage} />
      <Causes turn={turn} workedMs={workedMs} />
    </div>
  );
}

/** What the engine managed a second, as far as it says so. */
function Speeds({ usage }: { usage: RequestUsage[] }) {
  const { read, write } = speedsOf(usage);
  const words = text.receipt.speeds(read, write);
  return words === '' ? null : <span>{words}</span>;
}

/** How much of it was the subagents'. */
function AgentsShare({ usage }: { usage: RequestUsage[] }) {
  const theirs = usage.filter((request) => request.parentCallId !== undefined);
  if (theirs.length === 0) return null;
  const { requests, output } = totalUsage(theirs);
  const { fresh, reread } = totalReading(theirs);
  return <p className="words">{text.receipt.agents(requests, { fresh, reread, written: output })}</p>;
}

/** Why tokens were read again, each cause in a line; a slow turn leads to the page that says what to do. */
function Causes({ turn, workedMs }: { turn: Turn; workedMs: number }) {
  const { run } = useCommands();
  const rereads = rereadsOf(turn.usage);
  const slow = turn.endedAt !== null && wasSlow(turn, workedMs);
  if (rereads.length === 0 && !slow) return null;
  return (
    <div className="causes">
      {rereads.map((reread) => (
        <Cause key={`${reread.cause}:${reread.owner ?? ''}`} reread={reread} turnId={turn.id} />
      ))}
      {slow && (
        <Button kind="quiet" small className="why" onClick={() => void run('view/slow')}>
          {ledger.why}
        </Button>
      )}
    </div>
  );
}

function Cause({ reread, turnId }: { reread: Reread; turnId: string }) {
  const [open, toggle] = useExpanded(`${turnId}:${reread.cause}`, false);
  const id = useId();
  const { parting } = reread;
  return (
    <>
      <p className="cause">
        <span>{rereadWords(reread)}</span>
        {parting && (
          <button
            type="button"
            className="link"
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={toggle}
          >
            {open ? ledger.hideParting : ledger.showParting}
          </button>
        )}
      </p>
      {open && parting && (
        <dl className="parting" id={id}>
          <dt>{ledger.before}</dt>
          <dd>{parting.before}</dd>
          <dt>{ledger.after}</dt>
          <dd>{parting.after}</dd>
        </dl>
      )}
    </>
  );
}
