/** The controls of the settings. */
import { useId, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import { Button, type ButtonKind } from '../../components/button.tsx';
import { isComposing } from '../../components/composing.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { useKeyDown } from '../../components/use-key-down.ts';
import profilesStyles from './profiles.module.css';
import segmentsStyles from './segments.module.css';

interface ActionButtonProps {
  kind?: ButtonKind;
  small?: boolean;
  /** Its action is under way. Only called disabled then: a button that really is loses the keyboard. */
  busy?: boolean;
  /** What stands beside it says why it does nothing now. */
  refused?: boolean;
  /** What pressing it does, where its word alone does not say. */
  description?: string;
  /** Id of the line that says it. */
  describedBy?: string;
  onClick: () => void;
  children: ReactNode;
}

export function ActionButton({
  busy = false,
  refused = false,
  description,
  describedBy,
  onClick,
  ...look
}: ActionButtonProps) {
  return (
    <Button
      {...look}
      aria-disabled={busy || refused}
      data-refused={refused || undefined}
      {...(description !== undefined && { 'aria-description': description })}
      {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
      onClick={() => {
        if (!busy && !refused) onClick();
      }}
    />
  );
}

type Question = Omit<ComponentProps<typeof ConfirmDialog>, 'open' | 'onClose'>;
type AskedButtonProps = Omit<ActionButtonProps, 'onClick'> & Question;

/** What cannot be undone is asked about first. */
export function AskedButton({ title, text, confirm, keep, onConfirm, ...button }: AskedButtonProps) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <ActionButton {...button} onClick={() => setAsks(true)} />
      <ConfirmDialog
        open={asks}
        {...{ title, text, confirm, keep, onConfirm }}
        onClose={() => setAsks(false)}
      />
    </>
  );
}

export interface SwitchProps {
  label: string;
  /** Id of the line that explains it. */
  describedBy: string;
  on: boolean;
  onChange: (on: boolean) => void;
}

export function Switch({ label, describedBy, on, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-label={label}
      aria-describedby={describedBy}
      aria-checked={on}
      onClick={() => onChange(!on)}
    />
  );
}

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
    <div className={segmentsStyles.seg} role="radiogroup" aria-label={label} aria-describedby={describedBy}>
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

const looks = { figure: '', 'wide-figure': profilesStyles.wideFigure, words: profilesStyles.words };

export interface TypedFieldProps {
  label: string;
  value: string;
  /** Id of the line that explains it. */
  describedBy: string;
  /** Why this cannot be taken; null = it can. */
  check: (typed: string) => string | null;
  onTake: (typed: string) => void;
  /** After the value, inside the field. */
  unit?: string | null;
  look: keyof typeof looks;
  decimal?: boolean;
}

/** A field that is taken with Enter or by leaving it, and says as it is typed what cannot be; Escape brings the old value back. */
export function TypedField(props: TypedFieldProps) {
  const { label, value, describedBy, check, onTake, unit, look, decimal = false } = props;
  const [typed, setTyped] = useState<string | null>(null);
  /** It was to be taken: what is wrong is called out then, not at every key. */
  const [refused, setRefused] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const refusalId = useId();
  const refusal = typed === null ? null : check(typed);

  const take = (): void => {
    if (typed === null) return;
    setRefused(refusal !== null);
    if (refusal !== null) return;
    setTyped(null);
    if (typed !== value) onTake(typed);
  };
  useKeyDown(field, (event) => {
    if (isComposing(event)) return;
    if (event.key === 'Enter') take();
    else if (event.key === 'Escape' && typed !== null) {
      setTyped(null);
      setRefused(false);
    } else return;
    // Escape would also close the pane.
    event.stopPropagation();
    event.preventDefault();
  });

  return (
    <span className={`${profilesStyles.ctl} ${looks[look]}`}>
      <label className={refusal === null ? 'input' : 'input is-bad'}>
        <input
          ref={field}
          inputMode={look === 'words' ? 'text' : decimal ? 'decimal' : 'numeric'}
          aria-label={label}
          aria-describedby={refusal === null ? describedBy : `${describedBy} ${refusalId}`}
          aria-invalid={refusal !== null}
          dir={look === 'words' ? 'auto' : undefined}
          value={typed ?? value}
          onChange={(event) => {
            setRefused(false);
            setTyped(event.target.value);
          }}
          onBlur={take}
        />
        {unit && <span className="t3">{unit}</span>}
      </label>
      {refusal !== null && (
        <span className={`fail ${profilesStyles.bad}`} id={refusalId} role={refused ? 'alert' : undefined}>
          {refusal}
        </span>
      )}
    </span>
  );
}

interface FindFieldProps extends Omit<ComponentProps<'input'>, 'aria-label' | 'onChange'> {
  label: string;
  value: string;
  onSearch: (query: string) => void;
}

/** A field whose words narrow what is shown under it; its look and its title are those of the whole. */
export function FindField({ label, className, title, onSearch, ...field }: FindFieldProps) {
  return (
    <label className={className === undefined ? 'input' : `input ${className}`} title={title}>
      <Icon name="search" />
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        spellCheck={false}
        onChange={(event) => onSearch(event.target.value)}
        {...field}
      />
    </label>
  );
}
