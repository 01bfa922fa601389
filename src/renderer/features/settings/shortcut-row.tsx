import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import { chordOf } from '../../commands/keyboard.ts';
import { Button, IconButton, KeyCaps } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useEscape } from '../../components/use-key-down.ts';
import { commands } from '../../text.ts';
import styles from './shortcuts.module.css';

const text = commands.shortcuts;

/** What is asked of the person. `swap` null = the command has no keys that the other could get. */
export type Editing =
  | { stage: 'press'; refusal: string | null }
  | {
      stage: 'conflict';
      question: string;
      swap: string | null;
      onSwap: () => void;
      take: string;
      onTake: () => void;
    };

interface ShortcutRowProps {
  name: string;
  caps: string[] | null;
  /** What it came with, where that was changed. */
  standard: string | null;
  /** Another command that its keys run as well. */
  clash: string | null;
  fixed: boolean;
  mac: boolean;
  tabStop: boolean;
  editing: Editing | null;
  onFocus: () => void;
  onEdit: () => void;
  /** Nothing is asked any more. */
  onLeave: () => void;
  onPress: (chord: string) => void;
  onRemove: () => void;
  onReset: () => void;
}

export function ShortcutRow(props: ShortcutRowProps) {
  const { name, caps, fixed } = props;
  if (!fixed) return <OwnKeys {...props} />;
  return (
    <li className={styles.keyRow}>
      <div className={styles.keyLine}>
        <span className="grow cut">{name}</span>
        <span className="meta">{text.fixed}</span>
        {caps && <KeyCaps keys={caps} />}
        <span className="sr-only">{caps?.join(' ')}</span>
      </div>
    </li>
  );
}

function OwnKeys(props: ShortcutRowProps) {
  const { name, caps, standard, clash, mac, tabStop, editing, onFocus, onEdit, onLeave, onPress } = props;
  const button = useRef<HTMLButtonElement>(null);
  const hintId = useId();
  const clashId = useId();
  const pressing = editing?.stage === 'press';
  const onKeyDown = (event: KeyboardEvent): void => {
    if (pressing) {
      // Whatever it is, it is meant for this row; Tab too, so that nobody leaves without knowing.
      event.preventDefault();
      event.stopPropagation();
      const chord = chordOf(event.nativeEvent, mac);
      if (chord === 'Escape') onLeave();
      else if (chord !== null && !event.repeat) onPress(chord);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      props.onRemove();
    }
  };
  const backToRow = (act: () => void): void => {
    act();
    button.current?.focus();
  };
  return (
    <li
      className={[styles.keyRow, editing && styles.isOpen, standard !== null && styles.isChanged]
        .filter(Boolean)
        .join(' ')}
    >
      <div className={styles.keyLine}>
        <button
          ref={button}
          type="button"
          className={styles.keyName}
          tabIndex={tabStop ? 0 : -1}
          aria-describedby={editing ? hintId : clash === null ? undefined : clashId}
          onFocus={onFocus}
          onBlur={() => pressing && onLeave()}
          onClick={() => !pressing && onEdit()}
          onKeyDown={onKeyDown}
        >
          <span className="grow cut">{name}</span>
          {pressing && <span className="run meta">{text.press}</span>}
          {!pressing && caps && <span className="sr-only">{caps.join(' ')}</span>}
          {!pressing && !caps && <span className={`meta ${styles.none}`}>{text.none}</span>}
        </button>
        <span className={styles.keyActs}>
          {standard !== null && (
            <IconButton
              icon="undo"
              className={styles.ofChanged}
              label={text.resetTo(standard)}
              tabIndex={tabStop ? 0 : -1}
              onClick={() => backToRow(props.onReset)}
            />
          )}
          {caps && (
            <IconButton
              icon="x"
              label={text.remove}
              tabIndex={tabStop ? 0 : -1}
              onClick={() => backToRow(props.onRemove)}
            />
          )}
        </span>
        {!pressing && caps && <KeyCaps keys={caps} />}
      </div>
      {clash !== null && (
        <p className={`${styles.keyClash} meta`} id={clashId}>
          <Icon name="alert" />
          {text.clash(clash)}
        </p>
      )}
      {editing && (
        <div className={styles.keyAnswer} id={hintId}>
          {editing.stage === 'conflict' ? (
            <Conflict conflict={editing} onAnswer={backToRow} onKeep={onLeave} />
          ) : (
            <output className="sr-only">{text.press}</output>
          )}
          {editing.stage === 'press' && editing.refusal !== null && (
            <p className="fail" role="alert">
              {editing.refusal}
            </p>
          )}
        </div>
      )}
    </li>
  );
}

/** No field set: nothing is filled in. */
const question = { role: 'group' } as const;

interface ConflictProps {
  conflict: Extract<Editing, { stage: 'conflict' }>;
  /** The keyboard goes back to the row. */
  onAnswer: (answer: () => void) => void;
  onKeep: () => void;
}

/** Two commands want the same keys: the person says who gets them. */
function Conflict({ conflict, onAnswer, onKeep }: ConflictProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('button')?.focus();
  }, []);
  useEscape(box, () => onAnswer(onKeep));
  return (
    <div ref={box} {...question} aria-label={conflict.question}>
      <p className={styles.ofConflict}>
        <Icon name="alert" />
        {conflict.question}
      </p>
      <div className={styles.keyChoices}>
        {conflict.swap !== null && (
          <Button small onClick={() => onAnswer(conflict.onSwap)}>
            {conflict.swap}
          </Button>
        )}
        <Button small onClick={() => onAnswer(conflict.onTake)}>
          {conflict.take}
        </Button>
        <Button small kind="quiet" onClick={() => onAnswer(onKeep)}>
          {text.keep}
        </Button>
      </div>
    </div>
  );
}
