import {
  defaultTextSize,
  textSizes,
  type Appearance,
  type LanguageChoice,
  type Theme,
} from '../stores/appearance.ts';
import type { UiStore } from '../stores/ui-store.ts';
import { commands as text } from '../text.ts';
import { command } from './command.ts';

/** The desktop's alone: in a browser these keys make the whole page larger. */
const onDesktop = (keys: string) => ({ desktop: keys, web: null });

const themes: Theme[] = ['system', 'dark', 'light'];

/** How the window looks. Each change holds at once and is kept. */
export function createAppearanceCommands(ui: UiStore) {
  /** The theme itself is a command without anything to say, so that keys and menu can have it. */
  const theme = (theme: Theme) =>
    command({
      enabled: () => ui.getState().theme !== theme,
      why: () => text.why.alreadySo,
      run: () => ui.setState({ theme }),
    });
  const language = (language: LanguageChoice) =>
    command({
      enabled: () => ui.getState().language !== language,
      why: () => text.why.alreadySo,
      run: () => ui.setState({ language }),
    });
  const languages = {
    'view/language-system': language('system'),
    'view/language-en': language('en'),
    'view/language-de': language('de'),
  } satisfies Record<`view/language-${LanguageChoice}`, unknown>;
  /** The next step of the type scale; undefined = there is none. */
  const sizeAt = (step: 1 | -1) => textSizes[textSizes.indexOf(ui.getState().textSize) + step];
  const textSize = (keys: string, also: string | null, step: 1 | -1) =>
    command({
      keys: onDesktop(keys),
      also: { desktop: also, web: null },
      enabled: () => sizeAt(step) !== undefined,
      why: () => text.why.noSize,
      run: () => ui.setState({ textSize: sizeAt(step) ?? ui.getState().textSize }),
    });
  return {
    'view/set-appearance': command<Partial<Appearance>>({ run: (changes) => ui.setState(changes) }),
    'view/theme': command({
      keys: 'Mod+Shift+L',
      run: () =>
        ui.setState(({ theme }) => ({
          theme: themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system',
        })),
    }),
    'view/theme-light': theme('light'),
    'view/theme-dark': theme('dark'),
    'view/theme-system': theme('system'),
    ...languages,
    'view/text-larger': textSize('Mod+Plus', 'Mod+=', 1),
    'view/text-smaller': textSize('Mod+-', null, -1),
    'view/text-normal': command({
      keys: onDesktop('Mod+0'),
      enabled: () => ui.getState().textSize !== defaultTextSize,
      why: () => text.why.alreadySo,
      run: () => ui.setState({ textSize: defaultTextSize }),
    }),
    'view/set-theme': command<{ theme: Theme }>({ run: ({ theme }) => ui.setState({ theme }) }),
  };
}
