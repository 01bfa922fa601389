import { details as text } from '../../text.ts';
import { count } from '../../../text/format.ts';
import { useSession } from '../../stores/stores.ts';

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
