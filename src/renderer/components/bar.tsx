/** One bar made of parts of a whole. Steps without easing when a new figure comes. */
import type { ReactNode } from 'react';
import bars from './bar.module.css';

interface BarPart {
  key: string;
  /** Colour class: b-weights, b-other, b-cached, b-new, b-run … */
  look: string;
  value: number;
}

interface BarProps {
  parts: BarPart[];
  /** What the whole bar stands for; without it the parts fill the bar. */
  total?: number;
  tall?: boolean;
  /** The bar in words, for who cannot see it. */
  label: string;
}

export function Bar({ parts, total, tall, label }: BarProps) {
  const whole = total ?? parts.reduce((sum, part) => sum + part.value, 0);
  return (
    <div className={tall ? `bar ${bars.tall}` : 'bar'}>
      <span className="sr-only">{label}</span>
      {parts.map(
        (part) =>
          part.value > 0 &&
          whole > 0 && (
            <span
              key={part.key}
              className={part.look}
              style={{ width: `${Math.min(100, (100 * part.value) / whole)}%` }}
            />
          ),
      )}
    </div>
  );
}

/** Progress towards an end; `ratio` is an estimate unless the words beside it say otherwise. */
export function ProgressBar({ ratio, label }: { ratio: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, ratio)) * 100);
  return (
    <div className={`bar ${bars.tall}`}>
      <progress className="sr-only" aria-label={label} value={percent} max={100} />
      {percent > 0 && <span className={bars.run} style={{ width: `${percent}%` }} />}
    </div>
  );
}

/** A coloured key before a figure of a bar. */
export function BarKey({ look, children }: { look: string; children: ReactNode }) {
  return (
    <span className="key">
      <i className={look} />
      {children}
    </span>
  );
}
