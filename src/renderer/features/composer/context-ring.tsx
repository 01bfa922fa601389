import { useState } from 'react';
import type { ContextUsage } from '../../../protocol/model.ts';
import { count } from '../../formats.ts';
import { contextUse as text } from '../../text.ts';
import { Bar } from '../../components/bar.tsx';
import { Button } from '../../components/button.tsx';
import { Popover } from '../../components/popover.tsx';
import { useCommands } from '../../commands/commands.ts';
import { isBusy } from '../../stores/derive.ts';
import { splitContext } from '../../stores/figures.ts';
import { useSession } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import styles from './context-ring.module.css';
import bars from '../../components/bar.module.css';

/** How full the context is. A click says of what, and makes room. */
export function ContextRing() {
  const context = useSession((session) => session.state?.context ?? null);
  const [open, setOpen] = useState(false);
  if (!context) return null;
  const { ratio } = splitContext(context);
  return (
    <Popover
      open={open}
      onOpen={setOpen}
      label={text.title}
      className={styles.panel}
      trigger={
        <button type="button" className={styles.ring} title={text.title}>
          <Ring ratio={ratio} />
          <span className="num">{text.used(ratio)}</span>
        </button>
      }
    >
      <Parts context={context} />
    </Popover>
  );
}

const radius = 6;
const round = 2 * Math.PI * radius;

function Ring({ ratio }: { ratio: number }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <circle className={styles.whole} cx="8" cy="8" r={radius} />
      <circle
        className={styles.part}
        cx="8"
        cy="8"
        r={radius}
        strokeDasharray={`${String(round * Math.min(1, ratio))} ${String(round)}`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  );
}

function Parts({ context }: { context: ContextUsage }) {
  const { run } = useCommands();
  const sessionId = useSession((session) => session.sessionId);
  const busy = useSession(isBusy);
  const { used, window, parts } = splitContext(context);
  const compactAt = useTarget().profile?.compactAt ?? 0;
  // Where older turns are summarised; at 0 they never are.
  const mark = compactAt > 0 && compactAt < 1 ? Math.round(compactAt * window) : null;
  return (
    <>
      <p className={styles.line}>
        <span className="strong">{text.title}</span>
        <span className="num">
          {context.estimated && `${text.estimated} `}
          {count(used)} {text.of(window)}
        </span>
      </p>
      <Bar
        tall
        total={window}
        label={text.label(used, window)}
        parts={[
          { key: 'head', look: bars.cached, value: parts?.head ?? 0 },
          { key: 'log', look: bars.fresh, value: used - (parts?.head ?? 0) },
        ]}
      />
      {parts && (
        <dl className={`${styles.parts} num`}>
          <Part label={text.head} value={parts.head} />
          {parts.opening !== null && <Part label={text.opening} value={parts.opening} />}
          <Part label={text.log} value={parts.log} />
        </dl>
      )}
      {mark !== null && <p className="meta num">{text.compacts(mark)}</p>}
      <div className={styles.line}>
        <Button
          small
          disabled={busy || sessionId === null}
          title={busy ? text.busy : undefined}
          onClick={() => void run('session/compact', { sessionId: sessionId ?? '' })}
        >
          {text.compact}
        </Button>
        <Button kind="quiet" small onClick={() => void run('view/engine')}>
          {text.engine}
        </Button>
      </div>
    </>
  );
}

function Part({ label, value }: { label: string; value: number }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{count(value)}</dd>
    </>
  );
}
