import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type SyntheticEvent,
} from 'react';
import { composer as text } from '../../text.ts';
import { isComposing } from '../../components/composing.ts';
import { useCommands } from '../../commands/commands.ts';
import { useStores, useUi } from '../../stores/stores.ts';
import { setDraft } from '../../stores/ui-store.ts';
import { isOnFirstLine, isOnLastLine } from './caret.ts';
import { filesOf } from './given-files.ts';
import { useSuggestions } from './use-suggestions.tsx';

interface MessageFieldProps {
  /** Of the draft that it shows. */
  draftKey: string;
  draft: string;
  placeholder: string;
  onSend: () => void;
  /** Text that came at once, when it is long enough to be a file. */
  onLongPaste: (pasted: string) => void;
}

/** The text of the message: written, pasted, recalled; with the list that belongs to what is being written. */
export function MessageField({ draftKey, draft, placeholder, onSend, onLongPaste }: MessageFieldProps) {
  const { run } = useCommands();
  const { ui } = useStores();
  const [caret, setCaret] = useState<number | null>(null);
  const field = useAutoFocus(setCaret);
  const { placeCaret, change } = useCaretAfter(field, (next) => setDraft(ui, draftKey, next));

  const follow = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>): void => {
    const { selectionStart, selectionEnd } = currentTarget;
    setCaret(selectionStart === selectionEnd ? selectionStart : null);
  };
  const { onKey, aria, announcement, view } = useSuggestions({
    element: field,
    draft: draftKey,
    text: draft,
    caret,
    type: (from, to, words) => {
      if (!typed(field.current, from, to, words)) {
        change(draft.slice(0, from) + words + draft.slice(to), from + words.length);
      }
      setCaret(from + words.length);
    },
  });

  const recall = (by: 1 | -1): void => {
    void run('composer/recall', { by });
    const words = ui.getState().drafts[draftKey] ?? '';
    // At the end to write on; of several lines at the edge from which the next step is one press away.
    placeCaret(by === -1 && words.includes('\n') ? 0 : words.length);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isComposing(event.nativeEvent)) return;
    const { key, currentTarget } = event;
    const mod = event.ctrlKey || event.metaKey;
    const bare = !mod && !event.altKey && !event.shiftKey;
    if (bare && isListKey(key) && onKey(key)) {
      // Escape would also stop the turn.
      event.stopPropagation();
    } else if (key === 'Enter' && !event.shiftKey && !event.altKey) {
      onSend();
    } else if (bare && key === 'ArrowUp' && isOnFirstLine(currentTarget)) {
      recall(-1);
    } else if (bare && key === 'ArrowDown' && isOnLastLine(currentTarget)) {
      recall(1);
    } else return;
    event.preventDefault();
  };

  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const { clipboardData } = event;
    const files = filesOf(clipboardData);
    if (files.length > 0) {
      event.preventDefault();
      void run('composer/add-files', { files });
      return;
    }
    const pasted = clipboardData.getData('text/plain').replaceAll('\r\n', '\n');
    if (isLong(pasted)) onLongPaste(pasted);
  };

  return (
    <>
      {view}
      {/* There before it has something to say: what comes with its words is not read out everywhere. */}
      <output className="sr-only">{announcement}</output>
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={text.label}
        {...aria}
        placeholder={placeholder}
        value={draft}
        onChange={(event) => {
          setDraft(ui, draftKey, event.target.value);
          follow(event);
        }}
        onSelect={follow}
        // With the whole window it comes back, and the list with it.
        onBlur={() => document.activeElement !== field.current && setCaret(null)}
        onFocus={follow}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </>
  );
}

const listKeys = ['ArrowDown', 'ArrowUp', 'Enter', 'Tab', 'Escape'] as const;

function isListKey(key: string): key is (typeof listKeys)[number] {
  return listKeys.some((each) => each === key);
}

const longText = { characters: 4000, lines: 100 };

function isLong(pasted: string): boolean {
  return pasted.length > longText.characters || pasted.split('\n').length > longText.lines;
}

/** As if it were typed, so that undoing takes it back; false = the page cannot. */
function typed(field: HTMLTextAreaElement | null, from: number, to: number, words: string): boolean {
  if (!field || typeof document.execCommand !== 'function') return false;
  field.focus();
  field.setSelectionRange(from, to);
  return words === '' ? document.execCommand('delete') : document.execCommand('insertText', false, words);
}

/** Text that is not typed leaves the caret where it was: it is placed once the new text is there. */
function useCaretAfter(field: { current: HTMLTextAreaElement | null }, onChange: (text: string) => void) {
  const [wanted, setWanted] = useState<{ at: number } | null>(null);
  useLayoutEffect(() => {
    if (wanted) field.current?.setSelectionRange(wanted.at, wanted.at);
  }, [wanted, field]);
  const placeCaret = (at: number): void => setWanted({ at });
  const change = (text: string, at: number): void => {
    onChange(text);
    placeCaret(at);
  };
  return { placeCaret, change };
}

/** Takes the keyboard at the start and whenever the window hands it over. */
function useAutoFocus(onCaret: (caret: number) => void) {
  const field = useRef<HTMLTextAreaElement>(null);
  const focus = useUi((state) => state.focus);
  useEffect(() => {
    const element = field.current;
    if (!element || focus.target !== 'composer') return;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
    element.scrollTop = element.scrollHeight;
    // A window behind others is told of no focus, and has it all the same.
    onCaret(element.value.length);
  }, [focus, onCaret]);
  return field;
}
