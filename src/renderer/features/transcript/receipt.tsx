import type { RequestUsage, Turn } from '../../../protocol/model.ts';
import { count } from '../../../text/format.ts';
import { transcript as text } from '../../../text/en/transcript.ts';
import { Bar, BarKey } from '../../components/bar.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { totalUsage } from '../../stores/derive.ts';

/** What a turn cost: tokens the engine had, tokens it had to read, requests, time. */
export function Receipt({ turn }: { turn: Turn }) {
  const total = totalUsage(turn.usage);
  const running = useElapsed(turn.endedAt === null ? turn.startedAt : null);
  const ms = turn.endedAt !== null && turn.startedAt !== null ? turn.endedAt - turn.startedAt : running;
  const known = total.cached !== null && total.evaluated !== null;
  return (
    <div className="receipt">
      {known ? (
        <Bar
          label={text.receipt.label(total.cached ?? 0, total.evaluated ?? 0)}
          parts={[
            { key: 'cached', look: 'b-cached', value: total.cached ?? 0 },
            { key: 'new', look: 'b-new', value: total.evaluated ?? 0 },
          ]}
        />
      ) : (
        <Bar label={text.receipt.unknownLabel} parts={[]} />
      )}
      <div className="words">
        {known ? (
          <>
            <BarKey look="b-cached">
              <b>{count(total.cached ?? 0)}</b> {text.receipt.cached}
            </BarKey>
            <BarKey look="b-new">
              <b>{count(total.evaluated ?? 0)}</b> {text.receipt.fresh(total.promptMs)}
            </BarKey>
          </>
        ) : (
          <span>{text.receipt.unknown}</span>
        )}
        {total.output !== null && (
          <span>
            <b>{count(total.output)}</b> {text.receipt.written}
          </span>
        )}
        <span className="grow" />
        <span className="wide">{text.receipt.requests(total.requests)}</span>
        <span>{text.receipt.turn(ms)}</span>
      </div>
      <AgentsShare usage={turn.usage} />
    </div>
  );
}

/** How much of it was the subagents'. */
function AgentsShare({ usage }: { usage: RequestUsage[] }) {
  const theirs = usage.filter((request) => request.parentCallId !== undefined);
  if (theirs.length === 0) return null;
  const { requests, evaluated, output } = totalUsage(theirs);
  return <p className="words">{text.receipt.agents(requests, evaluated, output)}</p>;
}
