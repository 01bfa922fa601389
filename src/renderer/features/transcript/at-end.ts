/** Whether the transcript is kept at its end, for what appears there; a function, so that a scroll draws nothing anew. */
import { createContext } from 'react';

export const AtEndContext = createContext<() => boolean>(() => true);
