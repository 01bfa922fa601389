/** Whether long lines of one piece of code or output are broken, kept by whoever draws it for when it is drawn again. */
import { createContext, useContext, useState, type ReactNode } from 'react';

export interface WrapMemory {
  wrapped: Readonly<Record<string, boolean>>;
  remember: (place: string, wrapped: boolean) => void;
}

/** Without one it is forgotten with the piece. */
export const WrapMemoryContext = createContext<WrapMemory | null>(null);
const PlaceContext = createContext('');

/** Names where a piece stands, inside the places around it. */
export function Place({ name, children }: { name: string | number; children: ReactNode }) {
  const place = `${useContext(PlaceContext)}/${name}`;
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

/** `name` tells the pieces of one place apart. */
export function useWrapped(name: string, byDefault = false): [wrapped: boolean, toggle: () => void] {
  const place = `${useContext(PlaceContext)}/${name}`;
  const memory = useContext(WrapMemoryContext);
  const [own, setOwn] = useState(byDefault);
  const wrapped = memory ? (memory.wrapped[place] ?? byDefault) : own;
  return [wrapped, () => (memory ? memory.remember(place, !wrapped) : setOwn(!wrapped))];
}
