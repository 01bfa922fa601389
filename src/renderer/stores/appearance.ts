/** How this window looks to its person. Kept by the window: another screen may want another size. */
import { firstLanguage, languages } from '../../text/languages.ts';
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

/** `system` = the first of the languages of this computer that the window has. */
export const languageChoices = ['system', ...languages] as const;
export type LanguageChoice = (typeof languageChoices)[number];

export const appearance = {
  kept: {
    theme: oneOf(themes, 'system'),
    textSize: oneOf(textSizes, defaultTextSize),
    motion: oneOf(motions, 'system'),
    language: oneOf<LanguageChoice>(languageChoices, 'system'),
    /** Long lines of code go on below instead of beyond the edge. */
    wrapCode: flag(false),
  },
  fresh: {
    /** The language that the texts have now: its file may have to be fetched first. */
    spoken: firstLanguage,
  },
};

export type Appearance = StateOf<typeof appearance>;
