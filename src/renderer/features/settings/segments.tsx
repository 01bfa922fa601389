import type { KeyboardEvent } from 'react';

export interface Segment<T extends string> {
  value: T;
  label: string;
  disabled?: boolean;
}

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  segments: Segment<T>[];
  /** Id of the line that explains it. */
  describedBy?: string | undefined;
  disabled?: boolean;
  onChoose: (value: T) => void;
}

const steps: Partial<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** One of a few, side by side. A radio group: one tab stop, arrow keys choose. */
export function Segments<T extends string>(props: SegmentsProps<T>) {
  const { label, value, segments, describedBy, disabled = false, onChoose } = props;
  const usable = segments.filter((segment) => !segment.disabled);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = usable.findIndex((segment) => segment.value === value);
    const next = usable[(at + by + usable.length) % usable.length];
    if (!next || disabled) return;
    onChoose(next.value);
    event.currentTarget.querySelector<HTMLElement>(`[data-value="${CSS.escape(next.value)}"]`)?.focus();
  };

  return (
    <div
      className="seg"
      role="radiogroup"
      aria-label={label}
      aria-describedby={describedBy}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          role="radio"
          data-value={segment.value}
          aria-checked={segment.value === value}
          tabIndex={segment.value === value ? 0 : -1}
          disabled={disabled || (segment.disabled ?? false)}
          onClick={() => onChoose(segment.value)}
        >
          {segment.label}
        </button>
      ))}
    </div>
  );
}
