import { transcript as text } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { toolVerb } from '../../components/tool-verb.ts';
import { countCalls, foldKey } from './fold-calls.ts';
import type { GroupEntry } from './rows.ts';
import { useExpanded } from './use-expanded.ts';

interface FoldedCallsProps {
  entries: GroupEntry[];
  open: boolean;
  nested: boolean;
}

/** A stretch of a long run of calls in one line: what was called and what failed; the calls follow when it is open. */
export function FoldedCalls({ entries, open, nested }: FoldedCallsProps) {
  const [, toggle] = useExpanded(foldKey(entries[0]?.id ?? ''), false);
  const { tools, failed } = countCalls(entries);
  const calls = tools.reduce((sum, [, count]) => sum + count, 0);
  return (
    <div className={nested ? 'sub-log' : 'log'}>
      <button type="button" className="row plain" aria-expanded={open} onClick={toggle}>
        <Icon name={open ? 'down' : 'right'} />
        <span className="cut t2">
          <span className="medium">{text.folded.calls(calls)}</span>:{' '}
          {tools.map(([tool, count]) => text.folded.of(count, toolVerb(tool))).join(', ')}
        </span>
        {failed > 0 && (
          <span className="fig">
            <span className="fail">{text.folded.failed(failed)}</span>
          </span>
        )}
      </button>
    </div>
  );
}
