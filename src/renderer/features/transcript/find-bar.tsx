import { useEffect, useRef, type KeyboardEvent } from 'react';
import { transcript } from '../../text.ts';
import { IconButton } from '../../components/button.tsx';
import { isComposing } from '../../components/composing.ts';
import { Icon } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useUi } from '../../stores/stores.ts';
import type { Finding } from '../../stores/shown-slice.ts';
import { rangesOf } from './found-words.ts';
import styles from './find-bar.module.css';

const text = transcript.find;

/** Over the transcript while words are looked for in its session. */
export function FindBar() {
  const finding = useUi((ui) => (ui.finding?.sessionId === ui.openSessionId ? ui.finding : null));
  return finding && <Bar finding={finding} />;
}

/** Enter goes to the place before, as one comes from the newest; with Shift the other way. */
function Bar({ finding }: { finding: Finding }) {
  const { run } = useCommands();
  const field = useRef<HTMLInputElement>(null);
  const focus = useUi((ui) => ui.focus);
  useEffect(() => {
    if (focus.target !== 'find') return;
    field.current?.focus();
    field.current?.select();
  }, [focus]);
  useFoundWords(finding);
  const step = (by: 1 | -1): void => void run('transcript/find-step', { by });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') void run('transcript/find-end');
    else if (event.key === 'Enter' && event.target === field.current) step(event.shiftKey ? 1 : -1);
    else return;
    event.preventDefault();
    // Elsewhere Escape stops the turn.
    event.stopPropagation();
  };
  // `search` is an element too new for some pages; keys are taken from the field and from the buttons beside it.
  const region = { role: 'search', onKeyDown };
  const none = (finding.hits?.length ?? 0) === 0;
  return (
    <div className={styles.bar} aria-label={text.label} {...region}>
      <Icon name="search" />
      <input
        ref={field}
        type="text"
        dir="auto"
        aria-label={text.label}
        placeholder={text.placeholder}
        value={finding.query}
        onChange={({ currentTarget: { value } }) => void run('transcript/find-words', { query: value })}
      />
      <output className="meta num">{words(finding)}</output>
      <IconButton icon="up" label={text.before} disabled={none} onClick={() => step(-1)} />
      <IconButton
        icon="up"
        className={styles.turned}
        label={text.after}
        disabled={none}
        onClick={() => step(1)}
      />
      <IconButton icon="x" label={text.close} onClick={() => void run('transcript/find-end')} />
    </div>
  );
}

function words({ query, hits, at, complete }: Finding): string {
  if (query.trim() === '' || hits === null) return '';
  return hits.length === 0 ? text.none : text.at(at + 1, hits.length, complete);
}

/** Marks the words in the row that was found, and brings the first of them into view: a row may be taller than it. */
function useFoundWords({ query }: Finding): void {
  const sought = useUi((ui) => ui.sought);
  useEffect(() => {
    if (sought === null || !('highlights' in CSS)) return;
    // The row is drawn after it was scrolled to.
    const frame = requestAnimationFrame(() => {
      const row = document.querySelector('[data-found]');
      const ranges = row ? rangesOf(row, query) : [];
      CSS.highlights.set('found', new Highlight(...ranges));
      ranges[0]?.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
    });
    return () => {
      cancelAnimationFrame(frame);
      CSS.highlights.delete('found');
    };
  }, [sought, query]);
}
