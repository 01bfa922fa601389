import type { Fit } from '../../protocol/model.ts';
import { library } from '../text.ts';
import { bytes } from '../formats.ts';
import { Bar, BarKey } from './bar.tsx';
import { Mark } from './state-mark.tsx';
import styles from './fit-view.module.css';
import bars from './bar.module.css';

const text = library.fit;

/** What a model takes with a window, in parts, against what is free; whether it fits, and how that is known. */
export function FitView({ fit }: { fit: Fit }) {
  const { weightsBytes, cacheBytes, bufferBytes, overheadBytes, totalBytes, freeBytes, verdict } = fit;
  const rest = bufferBytes + overheadBytes;
  return (
    <div className={styles.fit}>
      <Bar
        tall
        total={Math.max(freeBytes ?? 0, totalBytes)}
        label={text.label(totalBytes)}
        parts={[
          { key: 'weights', look: bars.weights, value: weightsBytes },
          { key: 'cache', look: bars.cache, value: cacheBytes },
          { key: 'rest', look: bars.other, value: rest },
        ]}
      />
      <p className={`${styles.fitKeys} num`}>
        <BarKey look={bars.weights}>
          {text.parts.weights} {bytes(weightsBytes)}
        </BarKey>
        <BarKey look={bars.cache}>
          {text.parts.cache} {bytes(cacheBytes)}
        </BarKey>
        <BarKey look={bars.other}>
          {text.parts.buffer} {bytes(rest)}
        </BarKey>
      </p>
      <p className={`${styles.fitSays} num`}>
        <Mark
          icon={verdict === 'fits' ? 'done' : verdict === 'unknown' ? 'info' : 'alert'}
          tone={tones[verdict]}
        />
        <span>
          {saysWords(fit)}{' '}
          <span className="t3">
            {freeBytes === null ? text.ofUnknown(totalBytes) : text.of(totalBytes, freeBytes)},{' '}
            {text.basis[fit.basis]}
          </span>
        </span>
      </p>
    </div>
  );
}

const tones = { fits: 'ok', tight: 'warn', spills: 'warn', too_big: 'fail', unknown: 'still' } as const;

function saysWords({ verdict, totalBytes, freeBytes }: Fit): string {
  if (verdict === 'fits') {
    return freeBytes === null ? text.says.unknown : text.says.fits(Math.max(0, freeBytes - totalBytes));
  }
  if (verdict === 'spills') return text.says.spills(Math.max(0, totalBytes - (freeBytes ?? totalBytes)));
  return text.says[verdict];
}
