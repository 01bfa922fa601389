import { useContext, useEffect, useId, useRef, useState } from 'react';
import { visibleParts } from '../../../rules/visible-text/visible-parts.ts';
import { transcript as text } from '../../text.ts';
import { useSight } from '../../components/sight.ts';
import { ScriptsContext, VisibleText } from '../../components/visible-text.tsx';
import { AskedText, ShowAll, showAllOf } from './asked-call.tsx';
import type { ErrorWords } from '../../commands/error-words.ts';
import { Mark } from '../../components/state-mark.tsx';
import { useFocusAtEnd } from '../../components/use-focus-at-end.ts';
import styles from './approval.module.css';

interface CommandDraftProps extends CommandFieldProps {
  /** What was asked for, where it is no longer that; else null. */
  original: string | null;
  /** Whether all of it was in sight, and again after it got longer or something in it hides. */
  onSeen: (seen: boolean) => void;
}

/**
 * The command as the person writes it. A field draws no marks and may be longer than its box: then what will run is shown
 * below it, and has to be seen like any other call.
 */
export function CommandDraft({ original, onSeen, ...field }: CommandDraftProps) {
  const scripts = useContext(ScriptsContext);
  const marks = visibleParts(field.text, { scripts }).filter(({ kind }) => kind !== 'text' && kind !== 'rtl');
  const hides = marks.length > 0 || isLong(field.text);
  useEffect(() => {
    if (!hides) onSeen(true);
  }, [hides, onSeen]);
  const seenAs = `${marks.map((mark) => mark.text).join('|')} ${String(sizeOf(field.text))}`;
  return (
    <>
      <CommandField {...field} />
      {original !== null && (
        <p className={`${styles.original} cut`}>
          <span className="sr-only">{text.approval.original} </span>
          <s className="mono">
            <VisibleText text={original} oneLine />
          </s>
        </p>
      )}
      {hides && <WillRun key={seenAs} text={field.text} onSeen={onSeen} />}
    </>
  );
}

function WillRun({ text: command, onSeen }: { text: string; onSeen: (seen: boolean) => void }) {
  const sight = useSight();
  const { seen } = sight;
  useEffect(() => onSeen(seen), [seen, onSeen]);
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const show = (): void => {
    setOpen(true);
    // Its keys scroll it from here on.
    box.current?.querySelector<HTMLElement>('[role=group]')?.focus();
  };
  return (
    <div ref={box} className={styles.box}>
      <p className="meta">{text.approval.willRun}</p>
      <AskedText text={command} sight={sight} open={open} />
      <ShowAll wanted={!open && sight.hidesEnd} kind="quiet" small icon="fold" onClick={show}>
        {showAllOf(command)}
      </ShowAll>
    </div>
  );
}

/** Lines and characters that the field surely has room for. */
const fieldLines = 8;
const fieldLength = 480;

const linesOf = (command: string): number => command.split('\n').length;
const isLong = (command: string): boolean => linesOf(command) > fieldLines || command.length > fieldLength;

/** Changes when a command gets longer by as much as a person reads at a glance. */
const sizeOf = (command: string): number =>
  Math.floor(linesOf(command) / fieldLines) + Math.floor(command.length / fieldLength);

interface CommandFieldProps {
  text: string;
  /** It was opened by hand just now. Where it only comes back into view, somebody may be writing elsewhere. */
  opened: boolean;
  disabled: boolean;
  /** Why what stands here cannot run, until it is changed. */
  refusal: ErrorWords | null;
  onChange: (written: string) => void;
}

/** In the place of the command, with the keys of its card. Enter is a line of its own: commands have several. */
export function CommandField({ text: written, opened, disabled, refusal, onChange }: CommandFieldProps) {
  const field = useFocusAtEnd(opened);
  const refusalId = useId();
  return (
    <>
      <textarea
        ref={field}
        rows={1}
        className={`code ${styles.asked}`}
        aria-label={text.approval.field}
        aria-invalid={refusal !== null}
        aria-describedby={refusal === null ? undefined : refusalId}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        value={written}
        readOnly={disabled}
        onChange={(event) => onChange(event.target.value)}
      />
      {refusal && (
        <p className="with-mark" id={refusalId} role="alert">
          <Mark icon="failed" tone="fail" />
          <span>{`${refusal.message} ${refusal.advice}`.trim()}</span>
        </p>
      )}
    </>
  );
}
