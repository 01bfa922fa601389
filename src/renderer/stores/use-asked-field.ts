import { useEffect, useState } from 'react';
import type { FocusTarget } from './layout-slice.ts';
import { useStores, useUi } from './stores.ts';
import { answerFocus } from './ui-store.ts';

/** A field that opens when its own button is pressed, or whenever it is asked for elsewhere. */
export function useAskedField(target: FocusTarget): [open: boolean, setOpen: (open: boolean) => void] {
  const asked = useUi(({ focus }) => (focus.target === target ? focus.count : null));
  const [open, setOpen] = useState(asked !== null);
  const [answered, setAnswered] = useState(asked);
  if (asked !== answered) {
    setAnswered(asked);
    if (asked !== null) setOpen(true);
  }
  const { ui } = useStores();
  useEffect(() => {
    if (asked !== null) answerFocus(ui);
  }, [asked, ui]);
  return [open, setOpen];
}
