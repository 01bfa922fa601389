import { startTransition, useContext, useEffect, useEffectEvent, useState } from 'react';
import type { DrawnTree } from './drawn-tree.ts';
import { DrawingsContext, type Drawing } from './drawings.ts';

/** Of one source for as long as the element lives. undefined = not yet; null = it cannot be drawn. */
export function useDrawing(drawing: Drawing): DrawnTree | null | undefined {
  const drawings = useContext(DrawingsContext);
  const [tree, setTree] = useState(() => (drawings ? drawings.known(drawing) : null));
  const ask = useEffectEvent(() => drawings?.draw(drawing));
  const isAsked = tree === undefined;
  useEffect(() => {
    if (!isAsked) return;
    let wanted = true;
    const show = async (): Promise<void> => {
      const drawn = await ask();
      // Typing and scrolling come first.
      if (wanted) startTransition(() => setTree(drawn ?? null));
    };
    void show();
    return () => {
      wanted = false;
    };
  }, [isAsked]);
  return tree;
}
