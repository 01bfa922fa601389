import { afterEach, expect, it, vi } from 'vitest';
import { de } from '../../text/de/index.ts';
import { firstDictionary } from '../../text/dictionaries.ts';
import type { Language } from '../../text/languages.ts';
import { createUiStore } from '../stores/ui-store.ts';
import { FakeDesktop } from '../testing/desktop.ts';
import { settings, speakFrom } from '../text.ts';
import { followLanguage } from './follow-language.ts';

afterEach(() => {
  speakFrom(firstDictionary);
  vi.restoreAllMocks();
});

function start({ languages = ['en-GB'], kept = '{}', load }: Partial<Start> = {}) {
  vi.spyOn(navigator, 'languages', 'get').mockImplementation(() => languages);
  const stored: Record<string, string> = { 'andiron.ui': kept };
  const ui = createUiStore({
    read: (name) => stored[name] ?? null,
    write: (name, text) => void (stored[name] = text),
    update: () => undefined,
    flush: () => undefined,
  });
  const desktop = new FakeDesktop('linux');
  const ready = followLanguage(window, ui, desktop, load);
  return { ui, desktop, ready, languages, stored };
}

interface Start {
  languages: string[];
  kept: string;
  load: (language: Language) => Promise<typeof firstDictionary>;
}

it('A window begins in the first language of its computer that it has', async () => {
  const { ui, desktop, ready } = start({ languages: ['fr', 'de-AT', 'en'] });
  await ready;
  expect([ui.getState().spoken, document.documentElement.lang, settings.label]).toEqual([
    'de',
    'de',
    de.settings.label,
  ]);
  expect(desktop.languages.at(-1)).toBe('de');
});

it('A window is English where its computer speaks none of its languages', async () => {
  const { ui, ready } = start({ languages: ['tlh', 'constructor'] });
  await ready;
  expect([ui.getState().spoken, document.documentElement.lang]).toEqual(['en', 'en']);
});

it('A kept choice goes before the languages of the computer', async () => {
  const { ui, ready } = start({ kept: JSON.stringify({ language: 'de' }) });
  await ready;
  expect(ui.getState().spoken).toBe('de');
});

it('A kept language that no window has any more is as if nothing had been chosen', async () => {
  const { ui, ready } = start({ kept: JSON.stringify({ language: 'tlh' }) });
  await ready;
  expect([ui.getState().language, ui.getState().spoken]).toEqual(['system', 'en']);
});

it('Another language of the computer is followed while the window runs, and a choice is not overruled', async () => {
  const { ui, ready, languages } = start();
  await ready;
  languages.splice(0, 1, 'de');
  window.dispatchEvent(new Event('languagechange'));
  await vi.waitFor(() => expect(ui.getState().spoken).toBe('de'), 60_000);
  ui.setState({ language: 'en' });
  await vi.waitFor(() => expect(ui.getState().spoken).toBe('en'), 60_000);
  window.dispatchEvent(new Event('languagechange'));
  await Promise.resolve();
  expect(ui.getState().spoken).toBe('en');
});

it('Of two choices the last one is spoken, whichever file comes first', async () => {
  const german = Promise.withResolvers<typeof firstDictionary>();
  const load = (language: Language) =>
    language === 'de' ? german.promise : Promise.resolve(firstDictionary);
  const { ui, ready } = start({ load });
  await ready;
  ui.setState({ language: 'de' });
  ui.setState({ language: 'en' });
  german.resolve(de);
  await vi.waitFor(() => expect(ui.getState().language).toBe('en'), 60_000);
  await german.promise;
  await Promise.resolve();
  expect([ui.getState().spoken, settings.label]).toEqual(['en', firstDictionary.settings.label]);
});

it('A language whose texts cannot be fetched leaves the window as it is, and says what to do', async () => {
  const { ui, ready } = start({ load: () => Promise.reject(new Error('gone')), languages: ['de'] });
  await ready;
  expect(ui.getState().spoken).toBe('en');
  expect(ui.getState().notices.map(({ message, advice }) => [message, advice])).toEqual([
    ['The texts in Deutsch could not be loaded.', 'Check the connection, then choose the language again.'],
  ]);
});
