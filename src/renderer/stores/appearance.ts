/** How this window looks to its person. Kept by the window: another screen may want another size. */
import { flag, oneOf, type StateOf } from './persisted.ts';

/** In steps of the type scale; `normal` is as drawn. */
export const textSizes = ['small', 'normal', 'large', 'largest'] as const;
export type TextSize = (typeof textSizes)[number];
export const defaultTextSize: TextSize = 'normal';

/** `system` follows what the desktop asks of every program. */
export const motions = ['system', 'reduced'] as const;
export type Motion = (typeof motions)[number];

const themes = ['system', 'dark', 'light'] as const;
export type Theme = (typeof themes)[number];

export const appearance = {
  kept: {
    theme: oneOf(themes, 'system'),
    textSize: oneOf(textSizes, defaultTextSize),
    motion: oneOf(motions, 'system'),
    /** Long lines of code go on below instead of beyond the edge. */
    wrapCode: flag(false),
  },
  fresh: {},
};

export type Appearance = StateOf<typeof appearance>;
