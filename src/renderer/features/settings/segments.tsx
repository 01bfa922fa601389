import { useId } from 'react';
import styles from './segments.module.css';

export interface Segment<T extends string> {
  value: T;
  label: string;
  disabled?: boolean;
}

export interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  segments: Segment<T>[];
  /** Id of the line that explains it. */
  describedBy: string;
  onChoose: (value: T) => void;
}

/** One of a few, side by side: radio buttons, so one tab stop, and arrow keys choose. */
export function Segments<T extends string>(props: SegmentsProps<T>) {
  const { label, value, segments, describedBy, onChoose } = props;
  const group = useId();
  return (
    <div className={styles.seg} role="radiogroup" aria-label={label} aria-describedby={describedBy}>
      {segments.map((segment) => (
        <label key={segment.value}>
          <input
            type="radio"
            className="sr-only"
            name={group}
            checked={segment.value === value}
            disabled={segment.disabled ?? false}
            onChange={() => onChoose(segment.value)}
          />
          {segment.label}
        </label>
      ))}
    </div>
  );
}
