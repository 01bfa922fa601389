/** Words that a person goes on typing, without looking, after a card took the keyboard from their empty field. */
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { isComposing } from '../../components/composing.ts';

export type TextField = HTMLTextAreaElement | HTMLInputElement;

/** Also who looks at the keys and searches for them presses the next letter of a word within this time. */
const wordMs = 800;

const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Fn']);

interface Waiting {
  letters: string;
  first: KeyboardEvent;
  last: KeyboardEvent;
  /** The last one was pressed late enough to be an answer. */
  heard: boolean;
}

interface BlindWords {
  card: RefObject<HTMLElement | null>;
  /** The field that had the keyboard; null = nobody was about to write. */
  takenFrom: RefObject<TextField | null>;
  /** What a key does as an answer. */
  actOf: (event: KeyboardEvent) => (() => void) | undefined;
  isHeard: () => boolean;
}

/**
 * The rule: while the card has the keyboard only because it took it from an empty field, a letter answers once no other
 * key followed it for a moment; a letter that is no answer, or that another one follows, begins a word, which goes into
 * the field with the keyboard. Enter answers at once where no letter came before it. Whoever presses, tabs or moves on
 * the card has come to it, and answers with letters at once too.
 *
 * Returns whether a key was taken as part of a word, or waits to be one.
 */
export function useBlindWords({ card, takenFrom, actOf, isHeard }: BlindWords) {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  /** The person has come to the card, or left it. */
  const [isThere, setIsThere] = useState(false);
  const first = waiting?.first;
  const answer = useEffectEvent(() => {
    setWaiting(null);
    if (waiting?.heard) actOf(waiting.last)?.();
  });
  useEffect(() => {
    if (!first) return;
    const timer = setTimeout(() => answer(), wordMs);
    return () => clearTimeout(timer);
  }, [first]);

  const arrive = (): void => {
    setIsThere(true);
    setWaiting(null);
  };
  const arrived = useEffectEvent(arrive);
  useEffect(() => {
    const shown = card.current;
    const onPointer = (): void => arrived();
    // Another window may have come in between: then the card still has it.
    const onLeave = (): void => {
      if (document.activeElement !== shown) arrived();
    };
    shown?.addEventListener('pointerdown', onPointer);
    shown?.addEventListener('focusout', onLeave);
    return () => {
      shown?.removeEventListener('pointerdown', onPointer);
      shown?.removeEventListener('focusout', onLeave);
    };
  }, [card]);

  const giveBack = (field: TextField, letters: string): void => {
    arrive();
    field.focus();
    if (letters !== '') typeInto(field, letters);
  };

  return (event: KeyboardEvent): boolean => {
    const field = takenFrom.current;
    if (isThere || !field?.isConnected) return false;
    if (event.target !== card.current || modifiers.has(event.key)) return false;
    const letters = waiting?.letters ?? '';
    if (goesOnInField(event)) {
      giveBack(field, letters);
      return true;
    }
    const { key } = event;
    const isWord = isTyped(event) && (key !== ' ' || waiting !== null);
    if (!isWord && !(key === 'Enter' && waiting)) {
      if (key !== 'Enter' && !isChord(event)) arrive();
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    if (isWord && actOf(event) && (!waiting || waiting.last.key === key)) {
      // No word begins with two of the same: that is somebody who presses a second time.
      setWaiting({
        letters: letters + key,
        first: waiting?.first ?? event,
        last: event,
        heard: isHeard(),
      });
    } else giveBack(field, isWord ? letters + key : letters);
    return true;
  };
}

const isChord = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => ctrlKey || metaKey || altKey;

const isTyped = (event: KeyboardEvent): boolean =>
  event.key.length === 1 && (!isChord(event) || event.getModifierState('AltGraph'));

/** The page itself puts into the field what these bring. */
const goesOnInField = (event: KeyboardEvent): boolean =>
  isComposing(event) ||
  event.key === 'Dead' ||
  ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v');

/** As if it were typed at the end. What draws the field overrides its `value`, and hears only what goes past that. */
function typeInto(field: TextField, letters: string): void {
  const value = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
  value?.set?.call(field, field.value + letters);
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: letters, inputType: 'insertText' }));
}
