import type { ContextUsage, RequestUsage, Turn } from '../../../protocol/model.ts';
import { details as text } from '../../../text/en/details.ts';
import { shell } from '../../../text/en/shell.ts';
import { count } from '../../../text/format.ts';
import { Bar, BarKey } from '../../components/bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { keyboardScrollable } from '../../components/scroll-region.tsx';
import { latestTurn, loadedModel, totalUsage } from '../../stores/derive.ts';
import { useEngine, useSession } from '../../stores/stores.ts';
import { Plan, Subagents } from './plan.tsx';
import { useChangedFiles } from './use-changed-files.ts';

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
    </aside>
  );
}

function FilesChanged() {
  const files = useChangedFiles();
  if (files.length === 0) return null;
  return (
    <section className="sec">
      <h2>
        {text.files.title}
        <span className="meta">{text.files.count(files.length)}</span>
      </h2>
      <ul>
        {files.map((file) => (
          <li className="fi" key={file.path}>
            <Icon name="file" />
            <span className="cut" title={file.path}>
              {file.path}
            </span>
            <span className="ok">+{file.added}</span>
            <span className="fail">−{file.removed}</span>
          </li>
        ))}
      </ul>
    </section>
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
  const { usedTokens, windowTokens, estimated } = context;
  const model = useSession((session) => latestTurn(session.state)?.model ?? null);
  const engine = useEngine((state) => state.engine);
  const loaded = loadedModel(engine, model);
  return (
    <>
      <div className="win">
        <Bar
          tall
          total={windowTokens}
          label={text.context.label(usedTokens, windowTokens)}
          parts={[{ key: 'used', look: 'b-new', value: usedTokens }]}
        />
      </div>
      <div className="spread">
        <span>
          {estimated && `${text.context.estimated} `}
          <b>{count(usedTokens)}</b> {text.context.of(windowTokens)}
        </span>
      </div>
      <div className="spread">
        <span>{text.context.free}</span>
        <span>{count(Math.max(0, windowTokens - usedTokens))}</span>
      </div>
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

function loadedWords(tokens: number | null, asPlanned: boolean | null): string {
  if (tokens === null) return text.context.unknown;
  if (asPlanned === null) return count(tokens);
  return asPlanned ? text.context.planned(tokens) : text.context.notPlanned(tokens);
}

function Ledger() {
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

function isUncounted({ cachedTokens, evaluatedTokens }: RequestUsage): boolean {
  return cachedTokens === null && evaluatedTokens === null;
}

/** Of an engine that counts no cached reads: what is known, instead of a table of unknowns. */
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
  const total = totalUsage(turn.usage);
  const hidden = Math.max(0, turn.usage.length - listed);
  return (
    <>
      <table className="kv">
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
            <th scope="col">{text.ledger.output}</th>
          </tr>
        </thead>
        <tbody>
          <tr className="sum">
            <th scope="row">{text.ledger.turn}</th>
            <Figure value={total.cached} />
            <Figure value={total.evaluated} />
            <Figure value={total.output} />
          </tr>
          {hidden > 0 && (
            <tr>
              <th scope="row" colSpan={4}>
                {text.ledger.more(hidden)}
              </th>
            </tr>
          )}
          {turn.usage.slice(-listed).map((request, index) => (
            <RequestRow key={request.requestId} request={request} number={hidden + index + 1} />
          ))}
        </tbody>
      </table>
      {total.cached !== null && total.cached > 0 && (
        <p className="meta saved">{text.ledger.saved(total.cached)}</p>
      )}
    </>
  );
}

function RequestRow({ request, number }: { request: RequestUsage; number: number }) {
  return (
    <tr>
      <th scope="row">
        {number}. {requestWords(request)}
      </th>
      <Figure value={request.cachedTokens} />
      <Figure value={request.evaluatedTokens} />
      <Figure value={request.outputTokens} />
    </tr>
  );
}

/** Whose request it was: the agent's own, one beside its work (a plan, a summary), or a subagent's. */
function requestWords({ iteration, parentCallId }: RequestUsage): string {
  if (parentCallId !== undefined) return text.ledger.subagent;
  return iteration === 0 ? text.ledger.side : text.ledger.request;
}

function Figure({ value }: { value: number | null }) {
  return <td>{value === null ? text.ledger.unknown : count(value)}</td>;
}
