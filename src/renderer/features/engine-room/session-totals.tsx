import { count } from '../../formats.ts';
import { tokenTable as text } from '../../text.ts';
import { useSession } from '../../stores/stores.ts';
import styles from './engine-room.module.css';

const words = text.totals;

/** Tokens of the whole session, also of turns that are not in the window. */
export function SessionTotals() {
  const tokens = useSession((session) => session.state?.tokens);
  if (!tokens) return null;
  const { promptTokens, outputTokens, lastPromptTokens, lastOutputTokens, contextTokens, uncounted } = tokens;
  const lines: [label: string, value: number | null][] = [
    [words.prompt, promptTokens],
    [words.output, outputTokens],
    [words.lastPrompt, lastPromptTokens],
    [words.lastOutput, lastOutputTokens],
    [words.context, contextTokens],
  ];
  return (
    <section className={styles.section} aria-labelledby="session-tokens">
      <h3 id="session-tokens">
        {words.title}
        <span className="meta">{text.unit}</span>
      </h3>
      <dl className={styles.totals}>
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value === null ? text.unknown : count(value)}</dd>
          </div>
        ))}
      </dl>
      {uncounted > 0 && <p className="meta">{words.uncounted(uncounted)}</p>}
    </section>
  );
}
