import type { ContextUsage } from '../../../protocol/model.ts';
import { details as text, shell } from '../../text.ts';
import { count } from '../../../text/format.ts';
import { Bar } from '../../components/bar.tsx';
import { keyboardScrollable } from '../../components/scroll-region.tsx';
import { latestTurn, loadedModel } from '../../stores/derive.ts';
import { splitContext } from '../../stores/figures.ts';
import { useEngine, useSession } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { FilesChanged } from './files.tsx';
import { Ledger } from './ledger.tsx';
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
        {context && <span className="meta">{text.context.used(splitContext(context).ratio)}</span>}
      </h2>
      {context ? <ContextFigures context={context} /> : <p className="t3">{text.context.empty}</p>}
    </section>
  );
}

function ContextFigures({ context }: { context: ContextUsage }) {
  const { used, window, parts } = splitContext(context);
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
          total={window}
          label={text.context.label(used, window)}
          parts={[
            { key: 'head', look: 'b-cached', value: parts?.head ?? 0 },
            { key: 'log', look: 'b-new', value: used - (parts?.head ?? 0) },
          ]}
        />
        {mark !== null && <span className="at" style={{ left: `${mark * 100}%` }} />}
      </div>
      <div className="spread wraps">
        <span>
          {context.estimated && `${text.context.estimated} `}
          <b>{count(used)}</b> {text.context.of(window)}
        </span>
        {mark !== null && <span>{text.context.compacts(Math.round(mark * window))}</span>}
      </div>
      {parts && (
        <>
          <Figure label={text.context.head} value={parts.head} />
          {parts.opening !== null && <Figure label={text.context.opening} value={parts.opening} />}
          <Figure label={text.context.log} value={parts.log} />
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

/** Tokens of the whole session, also of turns that are not in the window. */
export function SessionTotals() {
  const tokens = useSession((session) => session.state?.tokens);
  if (!tokens) return null;
  const { promptTokens, outputTokens, lastPromptTokens, lastOutputTokens, contextTokens, uncounted } = tokens;
  const lines: [label: string, value: number | null][] = [
    [text.tokens.prompt, promptTokens],
    [text.tokens.output, outputTokens],
    [text.tokens.lastPrompt, lastPromptTokens],
    [text.tokens.lastOutput, lastOutputTokens],
    [text.tokens.context, contextTokens],
  ];
  return (
    <section className="sec" aria-labelledby="session-tokens">
      <h2 id="session-tokens">
        {text.tokens.title}
        <span className="meta">{text.ledger.unit}</span>
      </h2>
      {lines.map(([label, value]) => (
        <div className="spread" key={label}>
          <span>{label}</span>
          <span>{value === null ? text.ledger.unknown : count(value)}</span>
        </div>
      ))}
      {uncounted > 0 && <p className="meta saved">{text.tokens.uncounted(uncounted)}</p>}
    </section>
  );
}
