import { useShallow } from 'zustand/react/shallow';
import type { SessionStoreState } from './session-store.ts';
import { useSession } from './stores.ts';

/**
 * Some parts of the session as a list, which is the same list until one of them is another. While an answer streams,
 * what does not show its text is not drawn again.
 */
export function useSessionParts<T>(select: (session: SessionStoreState) => T[]): T[] {
  return useSession(useShallow(select));
}
