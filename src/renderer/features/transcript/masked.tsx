/** Hides keys in tool results until the person asks to see them: somebody else may be looking at the screen. */
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { maskKeys } from '../../../rules/key-formats.ts';
import { transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import type { Diff } from '../../components/diff-lines.ts';
import { useExpanded } from './use-expanded.ts';
import styles from './card.module.css';

interface Keys {
  areShown: boolean;
  toggle: () => void;
}

/** null = nothing is hidden: a question shows all that it asks about. */
const KeysContext = createContext<Keys | null>(null);

/** Hides the keys of one item, in all that is drawn of it. */
export function KeysOf({ item, children }: { item: string; children: ReactNode }) {
  const [areShown, toggle] = useExpanded(`${item}:keys`, false);
  const keys = useMemo(() => ({ areShown, toggle }), [areShown, toggle]);
  return <KeysContext value={keys}>{children}</KeysContext>;
}

export interface Masked<T> {
  masked: T;
  /** Keys in it. */
  count: number;
}

/** @param mask pure */
export function useMasked<T>(whole: T, mask: (whole: T) => Masked<T>): { masked: T; note: ReactNode } {
  const keys = useContext(KeysContext);
  const isAsked = keys !== null;
  const found = useMemo(() => (isAsked ? mask(whole) : null), [isAsked, whole, mask]);
  if (!keys || !found || found.count === 0) return { masked: whole, note: null };
  const note = <KeysNote count={found.count} {...keys} />;
  return { masked: keys.areShown ? whole : found.masked, note };
}

export const useMaskedText = (whole: string): { masked: string; note: ReactNode } =>
  useMasked(whole, maskText);

function maskText(whole: string): Masked<string> {
  const { text: masked, count } = maskKeys(whole);
  return { masked, count };
}

/** Its marks say where in a line something is, so nothing moves. */
export function maskDiff(diff: Diff): Masked<Diff> {
  let count = 0;
  const hunks = diff.hunks.map((hunk) => {
    const found = maskKeys(hunk.lines.map((line) => line.slice(1)).join('\n'), true);
    count += found.count;
    const lines = found.text.split('\n').map((line, at) => (hunk.lines[at]?.[0] ?? '') + line);
    return { ...hunk, lines };
  });
  return { masked: { ...diff, hunks }, count };
}

function KeysNote({ count, areShown, toggle }: Keys & { count: number }) {
  return (
    <p className={`meta ${styles.withAct}`}>
      <span>{areShown ? text.keys.shown(count) : text.keys.hidden(count)}</span>
      <Button kind="quiet" small onClick={toggle}>
        {areShown ? text.keys.hide : text.keys.show}
      </Button>
    </p>
  );
}
