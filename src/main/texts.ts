/**
 * What main itself says: menu, tray and dialogs. It begins in the language of the system, and speaks as the page does once
 * the page has said how: the choice is kept by the page.
 */
import { desktop as germanDesktop, systemEntries as germanEntries } from '../text/de/desktop.ts';
import { menu as germanMenu } from '../text/de/menu.ts';
import { desktop } from '../text/en/desktop.ts';
import { menu } from '../text/en/menu.ts';
import type { InAnyWords } from '../text/in-any-words.ts';
import type { Language } from '../text/languages.ts';
import { liveTexts } from '../text/live-texts.ts';
import type { EngineState } from '../protocol/model.ts';

/** What Electron calls by its own names has none here. */
const english = { desktop, menu, systemEntry: (_role: string): string | undefined => undefined };
type MainTexts = InAnyWords<typeof english>;

const byLanguage: Readonly<Record<Language, MainTexts>> = {
  en: english,
  de: { desktop: germanDesktop, menu: germanMenu, systemEntry: (role) => germanEntries[role] },
};
const live = liveTexts<MainTexts>(english);

/** `systemEntry`: undefined = as Electron calls it, in English. */
export const { desktop: texts, menu: menuTexts, systemEntry } = live.texts;

/** What is shown already keeps its words until it is shown again. */
export const speakIn = (language: Language): void => live.speak(byLanguage[language]);

/** One line for the tray: what the engine is doing, or why it does nothing. */
export function engineLine(state: EngineState | null): string {
  const { engine } = texts;
  if (state?.status.kind !== 'running') return engine[state?.status.kind ?? 'searching'];
  if (state.loading) return engine.loading(state.loading.model);
  if (state.loaded.length === 0) return engine.running;
  return engine.loaded(state.loaded.map((model) => model.name).join(', '));
}
