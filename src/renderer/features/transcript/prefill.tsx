import type { Prefill } from '../../../protocol/model.ts';
import { count, seconds } from '../../../text/format.ts';
import { transcript as text } from '../../text.ts';
import { Bar, BarKey } from '../../components/bar.tsx';
import { Mark } from '../../components/state-mark.tsx';

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
  const { promptTokens, cachedTokens, readTokens, source } = prefill;
  const toRead = promptTokens === null ? null : Math.max(0, promptTokens - (cachedTokens ?? 0));
  // Neither seen nor predicted: how far it is, nobody knows.
  const isBlind = source === 'predicted' && prefill.secondsLeft === null && !prefill.overrun;
  const rate = source === 'measured' ? words.rate(readTokens, elapsedMs) : null;
  return (
    <section className="prefill" aria-label={title}>
      <div className="head">
        <Mark icon="running" tone="run" />
        <span className="strong">{title}</span>
        <span className="tag">{words[source]}</span>
        <span className="clock">{clockWords(prefill, elapsedMs)}</span>
      </div>
      {promptTokens !== null && toRead !== null && (
        <Bar
          tall
          total={promptTokens}
          label={isBlind ? words.blindLabel(toRead) : words.label(Math.min(readTokens, toRead), toRead)}
          parts={[
            { key: 'cached', look: 'b-cached', value: cachedTokens ?? 0 },
            { key: 'read', look: 'b-run', value: Math.min(readTokens, toRead) },
          ]}
        />
      )}
      <div className="receipt">
        <div className="words">
          {cachedTokens !== null && (
            <BarKey look="b-cached">
              <b>{count(cachedTokens)}</b> {words.cached}
            </BarKey>
          )}
          {isBlind && toRead !== null ? (
            <span>
              <b>{count(toRead)}</b> {words.toRead}
            </span>
          ) : (
            <BarKey look="b-run">
              <b>{count(toRead === null ? readTokens : Math.min(readTokens, toRead))}</b>{' '}
              {toRead === null ? words.readSoFar : words.read(toRead)}
            </BarKey>
          )}
          {rate !== null && <span className="wide">{rate}</span>}
          <span className="grow" />
          {prefill.secondsLeft !== null && <span>{text.elapsed(elapsedMs)}</span>}
        </div>
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
