import type { Prefill } from '../../../protocol/model.ts';
import { count, seconds } from '../../formats.ts';
import { transcript as text } from '../../text.ts';
import { prefillPace, splitPrefill } from '../../stores/figures.ts';
import { Bar, BarKey } from '../../components/bar.tsx';
import { Mark } from '../../components/state-mark.tsx';
import styles from './turn.module.css';
import prefillStyles from './prefill.module.css';
import bars from '../../components/bar.module.css';

const words = text.prefill;

interface PrefillCardProps {
  title: string;
  prefill: Prefill;
  /** Since the engine began to be silent. */
  elapsedMs: number;
}

/**
 * How far the prompt is read while the engine says nothing. The bar steps with each report; only what is measured
 * names a speed, and a prediction that was too short says so instead of standing still at its end.
 */
export function PrefillCard({ title, prefill, elapsedMs }: PrefillCardProps) {
  const { source } = prefill;
  const { prompt, cached, toRead, read } = splitPrefill(prefill);
  // Neither seen nor predicted: how far it is, nobody knows.
  const isBlind = source === 'predicted' && prefill.secondsLeft === null && !prefill.overrun;
  const pace = prefillPace(prefill, elapsedMs);
  const rate = pace && words.rate(pace.tokens, pace.ms);
  return (
    <section className={prefillStyles.prefill} aria-label={title}>
      <div className={prefillStyles.head}>
        <Mark icon="running" tone="run" />
        <span className="strong">{title}</span>
        <span className="tag">{words[source]}</span>
        <span className={prefillStyles.clock}>{clockWords(prefill, elapsedMs)}</span>
      </div>
      {prompt !== null && toRead !== null && (
        <Bar
          tall
          total={prompt}
          label={isBlind ? words.blindLabel(toRead) : words.label(read, toRead)}
          parts={[
            { key: 'cached', look: bars.cached, value: cached ?? 0 },
            { key: 'read', look: bars.run, value: read },
          ]}
        />
      )}
      <div className={`${styles.tokens} num`}>
        {cached !== null && (
          <BarKey look={bars.cached}>
            <b>{count(cached)}</b> {words.cached}
          </BarKey>
        )}
        {isBlind && toRead !== null ? (
          <span>
            <b>{count(toRead)}</b> {words.toRead}
          </span>
        ) : (
          <BarKey look={bars.run}>
            <b>{count(read)}</b> {toRead === null ? words.readSoFar : words.read(toRead)}
          </BarKey>
        )}
        {rate !== null && <span className="wide">{rate}</span>}
        <span className="grow" />
        {prefill.secondsLeft !== null && <span>{text.elapsed(elapsedMs)}</span>}
      </div>
      <p className="t2">
        {prefill.overrun && `${source === 'measured' ? words.lateMeasured : words.late} `}
        {words.keeps}
      </p>
    </section>
  );
}

/** The time that is left; where it is not known, or was overrun, the time that has gone. */
function clockWords({ secondsLeft, overrun }: Prefill, elapsedMs: number): string {
  return secondsLeft === null || overrun ? seconds(elapsedMs) : words.left(Math.max(1, secondsLeft));
}
