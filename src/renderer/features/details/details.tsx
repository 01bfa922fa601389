import type { ContextUsage } from '../../../protocol/model.ts';
import { details as text, shell } from '../../text.ts';
import { count } from '../../../text/format.ts';
import { Bar } from '../../components/bar.tsx';
import { keyboardScrollable } from '../../components/scroll-region.tsx';
import { latestTurn, loadedModel } from '../../stores/derive.ts';
import { useEngine, useSession } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { FilesChanged } from './files.tsx';
import { Ledger } from './ledger.tsx';
import { SessionTotals } from './session-tokens.tsx';
import { Timeline } from './timeline.tsx';
import { Plan, Subagents } from './plan.tsx';

/** The right column: how far the turn is, what it changed and what it costs. */
export function Details({ sheet = false }: { sheet?: boolean }) {
  return (
    <aside
      className={sheet ? 'right-col sheet right' : 'right-col'}
      aria-label={shell.detailsLabel}
      {...keyboardScrollable}
    >
      <Plan />
      <Subagents />
      <FilesChanged />
      <Context />
      <Ledger />
      <SessionTotals />
      <Timeline />
    </aside>
  );
}

function Context() {
  const context = useSession((session) => session.state?.context ?? null);
  return (
    <section className="sec">
      <h2>
        {text.context.title}
        {context && (
          <span className="meta">{text.context.used(context.usedTokens / context.windowTokens)}</span>
        )}
      </h2>
      {context ? <ContextFigures context={context} /> : <p className="t3">{text.context.empty}</p>}
    </section>
  );
}

function ContextFigures({ context }: { context: ContextUsage }) {
  const { usedTokens, windowTokens, estimated, parts } = context;
  // A guess has no parts of its own: those of the count before it would not add up.
  const known = estimated ? undefined : parts;
  const head = known?.headTokens ?? 0;
  const opening = known?.openingTokens ?? 0;
  const log = Math.max(0, usedTokens - head - opening);
  const model = useSession((session) => latestTurn(session.state)?.model ?? null);
  const engine = useEngine((state) => state.engine);
  const loaded = loadedModel(engine, model);
  const compactAt = useTarget().profile?.compactAt ?? 0;
  // Where older turns are summarised; at 0 they never are.
  const mark = compactAt > 0 && compactAt < 1 ? compactAt : null;
  return (
    <>
      <div className="window-bar">
        <Bar
          tall
          total={windowTokens}
          label={text.context.label(usedTokens, windowTokens)}
          parts={[
            { key: 'head', look: 'b-cached', value: head },
            { key: 'log', look: 'b-new', value: usedTokens - head },
          ]}
        />
        {mark !== null && <span className="at" style={{ left: `${mark * 100}%` }} />}
      </div>
      <div className="spread wraps">
        <span>
          {estimated && `${text.context.estimated} `}
          <b>{count(usedTokens)}</b> {text.context.of(windowTokens)}
        </span>
        {mark !== null && <span>{text.context.compacts(Math.round(mark * windowTokens))}</span>}
      </div>
      {known && (
        <>
          <Figure label={text.context.head} value={head} />
          {known.openingTokens !== null && <Figure label={text.context.opening} value={opening} />}
          <Figure label={text.context.log} value={log} />
        </>
      )}
      {loaded && (
        <div className="spread">
          <span>{text.context.loaded}</span>
          <span className={loaded.asPlanned === false ? 'warn' : undefined}>
            {loadedWords(loaded.contextTokens, loaded.asPlanned)}
          </span>
        </div>
      )}
    </>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div className="spread">
      <span>{label}</span>
      <span>{count(value)}</span>
    </div>
  );
}

function loadedWords(tokens: number | null, asPlanned: boolean | null): string {
  if (tokens === null) return text.context.unknown;
  if (asPlanned === null) return count(tokens);
  return asPlanned ? text.context.planned(tokens) : text.context.notPlanned(tokens);
}
