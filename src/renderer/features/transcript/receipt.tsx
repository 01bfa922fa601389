import { useId } from 'react';
import type { RequestUsage, Turn } from '../../../protocol/model.ts';
import { count, tenths } from '../../formats.ts';
import { ledger, transcript as text } from '../../text.ts';
import { Bar, BarKey } from '../../components/bar.tsx';
import { Button } from '../../components/button.tsx';
import { rereadWords } from '../../components/reread-words.ts';
import { useCommands } from '../../commands/commands.ts';
import { totalUsage } from '../../stores/derive.ts';
import { turnTime } from '../../stores/figures.ts';
import {
  isCostly,
  rereadsOf,
  speedsOf,
  totalReading,
  type ReadingTotals,
  type Reread,
} from '../../stores/readings.ts';
import styles from './turn.module.css';
import { useExpanded } from './use-expanded.ts';
import bars from '../../components/bar.module.css';

interface ReceiptProps {
  turn: Turn;
  /** Of the agent itself: how many calls ran, and for how long. */
  calls: number;
  toolMs: number;
}

/** Where the time of an ended turn went, and the tokens: cached, new, and re-read with the cause. */
export function Receipt({ turn, calls, toolMs }: ReceiptProps) {
  const { run } = useCommands();
  const { output } = totalUsage(turn.usage);
  const reading = totalReading(turn.usage);
  const { workedMs } = turnTime(turn, turn.endedAt ?? turn.startedAt ?? 0);
  const { read } = speedsOf(turn.usage);
  const { cached, fresh, reread, freshMs, rereadMs } = reading;
  const evaluated = fresh === null ? null : fresh + reread;
  const loadMs = turn.usage.reduce((sum, request) => sum + (request.loadMs ?? 0), 0);
  const written = turn.usage.reduce((sum, request) => sum + (request.outputMs ?? 0), 0);
  return (
    <>
      <p className={styles.head}>
        <span className="strong">{text.receipt.title}</span>
        <span>{tenths(workedMs)}</span>
      </p>
      <dl className={`${styles.times} num`}>
        {loadMs >= minShownMs && <Time label={text.receipt.loading} what="" ms={loadMs} />}
        <Time
          label={text.receipt.reading}
          what={evaluated === null ? '' : text.receipt.tokens(evaluated)}
          ms={freshMs === null || rereadMs === null ? null : freshMs + rereadMs}
        />
        <Time
          label={text.receipt.writing}
          what={output === null ? '' : text.receipt.tokens(output)}
          ms={written > 0 ? written : null}
        />
        {calls > 0 && <Time label={text.receipt.tools} what={text.receipt.calls(calls)} ms={toolMs} />}
      </dl>
      <Tokens reading={reading} workedMs={workedMs} />
      <AgentsShare usage={turn.usage} />
      {cached !== null && cached > 0 && read !== null && (
        <p className="meta">{text.receipt.saved((cached / read) * 1000)}</p>
      )}
      <Causes turn={turn} />
      <Button kind="quiet" small className={styles.engine} onClick={() => void run('view/engine')}>
        {text.receipt.engine}
      </Button>
    </>
  );
}

/** A shorter load is no load. */
const minShownMs = 100;

function Time({ label, what, ms }: { label: string; what: string; ms: number | null }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{what}</dd>
      <dd>{ms === null ? text.receipt.unknownTime : tenths(ms)}</dd>
    </>
  );
}

function Tokens({ reading, workedMs }: { reading: ReadingTotals; workedMs: number }) {
  const { cached, fresh, reread } = reading;
  if (cached === null || fresh === null) return <p className="meta">{text.receipt.unknown}</p>;
  const costly = isCostly(reading, workedMs);
  const rereadLook = costly ? bars.reread : `${bars.reread} ${bars.small}`;
  return (
    <>
      <Bar
        label={text.receipt.label(cached, fresh, reread)}
        parts={[
          { key: 'cached', look: bars.cached, value: cached },
          { key: 'new', look: bars.fresh, value: fresh },
          { key: 'reread', look: rereadLook, value: reread },
        ]}
      />
      <p className={`${styles.tokens} num`}>
        <BarKey look={bars.cached}>
          <b>{count(cached)}</b> {text.receipt.cached}
        </BarKey>
        <BarKey look={bars.fresh}>
          <b>{count(fresh)}</b> {text.receipt.fresh}
        </BarKey>
        <span className={costly ? 'warn' : undefined}>
          <BarKey look={rereadLook}>
            <b>{count(reread)}</b> {text.receipt.reread}
          </BarKey>
        </span>
      </p>
    </>
  );
}

/** How much of it was the subagents'. */
function AgentsShare({ usage }: { usage: RequestUsage[] }) {
  const theirs = usage.filter((request) => request.parentCallId !== undefined);
  if (theirs.length === 0) return null;
  const { requests, output } = totalUsage(theirs);
  const { fresh, reread } = totalReading(theirs);
  return <p className="meta">{text.receipt.agents(requests, { fresh, reread, written: output })}</p>;
}

/** Why tokens were read again, each cause in a line. */
function Causes({ turn }: { turn: Turn }) {
  const rereads = rereadsOf(turn.usage);
  if (rereads.length === 0) return null;
  return (
    <div className={styles.causes}>
      {rereads.map((reread) => (
        <Cause key={`${reread.cause}:${reread.owner ?? ''}`} reread={reread} turnId={turn.id} />
      ))}
    </div>
  );
}

function Cause({ reread, turnId }: { reread: Reread; turnId: string }) {
  const [open, toggle] = useExpanded(`${turnId}:${reread.cause}`, false);
  const id = useId();
  const { parting } = reread;
  return (
    <>
      <p className={styles.cause}>
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
        <dl className={styles.parting} id={id}>
          <dt>{ledger.before}</dt>
          <dd>{parting.before}</dd>
          <dt>{ledger.after}</dt>
          <dd>{parting.after}</dd>
        </dl>
      )}
    </>
  );
}
