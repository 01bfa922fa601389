/** The language of the window: chosen or that of the computer, changed while it runs, and nothing is lost. */
import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { LanguageChoice } from '../stores/appearance.ts';
import { addNotice, type UiStore } from '../stores/ui-store.ts';
import { dictionaryOf } from '../../text/dictionaries.ts';
import { languageFor, languageNames, type Language } from '../../text/languages.ts';
import { shell, speakFrom } from '../text.ts';

/** Resolves when the window can be drawn in the language that it begins with. */
export async function followLanguage(
  page: Window,
  ui: UiStore,
  desktop: Pick<DesktopBridge, 'window'> | null,
  load = dictionaryOf,
): Promise<void> {
  const wanted = (): Language => meant(ui.getState().language, page.navigator.languages);
  const show = (language: Language): void => {
    page.document.documentElement.lang = language;
    desktop?.window.showLanguage(language);
    ui.setState({ spoken: language });
  };
  const follow = async (): Promise<void> => {
    const language = wanted();
    try {
      const dictionary = await load(language);
      // Another choice was made meanwhile, and its own file comes.
      if (language !== wanted()) return;
      speakFrom(dictionary);
      show(language);
    } catch {
      const { message, advice } = shell.languageMissing;
      addNotice(ui, message(languageNames[language]), advice);
    }
  };
  ui.subscribe((now, before) => {
    if (now.language !== before.language) void follow();
  });
  page.addEventListener('languagechange', () => void follow());
  show(ui.getState().spoken);
  await follow();
}

const meant = (choice: LanguageChoice, ofComputer: readonly string[]): Language =>
  choice === 'system' ? languageFor(ofComputer) : choice;
