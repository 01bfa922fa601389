import { useMemo } from 'react';
import type { WrapMemory } from '../../components/code/wrapped.tsx';
import { useStores, useUi } from '../../stores/stores.ts';
import { withWrapped } from '../../stores/wrapped-lines.ts';

/** Rows that scroll away are unmounted, and windows are reloaded: what was chosen for their lines outlives both. */
export function useWrapMemory(): WrapMemory {
  const { ui } = useStores();
  const wrapped = useUi((state) => state.wrapped);
  return useMemo(
    () => ({
      wrapped,
      remember: (place, on) => ui.setState((now) => ({ wrapped: withWrapped(now.wrapped, place, on) })),
    }),
    [ui, wrapped],
  );
}
