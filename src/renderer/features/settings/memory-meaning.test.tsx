import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { MeaningStatus } from '../../../protocol/person-methods.ts';
import { byWordsAlone } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { MemoryMeaning } from './memory-meaning.tsx';

const mib = 1024 ** 2;
const found: MeaningStatus = {
  choice: null,
  model: 'all-minilm:22m',
  models: [
    { name: 'all-minilm:22m', sizeBytes: 44 * mib },
    { name: 'embeddinggemma:300m', sizeBytes: 593 * mib },
  ],
  indexed: 120,
  total: 140,
  problem: null,
};

async function show(meaning: MeaningStatus) {
  const window = await openTestWindow();
  window.host.answer('memory/choose-model', () => ({}));
  renderIn(window, <MemoryMeaning meaning={meaning} />);
  await act(() => settled());
  return { ...window, user: userEvent.setup() };
}
const status = () => screen.getByRole('status').textContent;
const choice = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Embedding model' });

test.each([
  ['how many facts are found by meaning', {}, 'By meaning, with all-minilm:22m: 120 of 140 facts.'],
  ['which model will find facts', { indexed: 0, total: 0 }, 'By meaning, with all-minilm:22m.'],
  ['that all facts are', { indexed: 140 }, 'By meaning, with all-minilm:22m: all 140 facts.'],
  [
    'that Ollama does not run',
    { problem: { kind: 'no_engine', text: '' } },
    'By words only. Ollama is not running.',
  ],
  [
    'that the chosen model is gone',
    { choice: 'gone:1b', model: null, problem: { kind: 'gone', text: 'gone:1b' } },
    'By words only. gone:1b is not installed. Choose another model, or install it again.',
  ],
  [
    'that there is no room for the model',
    { problem: { kind: 'no_place', text: '' } },
    'By words only. Ollama has no room for one more model. Raise OLLAMA_MAX_LOADED_MODELS, or unload a model.',
  ],
  [
    'what went wrong',
    { problem: { kind: 'failed', text: 'Out of memory.' } },
    'By words only. Out of memory. Andiron tries again later.',
  ],
] satisfies [string, Partial<MeaningStatus>, string][])('the page says %s', async (_, more, words) => {
  await show({ ...found, ...more });
  expect(status()).toBe(words);
});

test('a model is chosen with the keyboard, and automatic and words only are choices too', async () => {
  const { user, host } = await show(found);
  expect(
    within(choice())
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Automatic (all-minilm:22m)',
    'all-minilm:22m, 44 MB',
    'embeddinggemma:300m, 593 MB',
    'Words only',
  ]);
  await user.tab();
  expect(document.activeElement).toBe(choice());
  await user.selectOptions(choice(), 'embeddinggemma:300m, 593 MB');
  await host.asked('memory/choose-model');
  expect(host.last('memory/choose-model')).toEqual({ model: 'embeddinggemma:300m' });
  await user.selectOptions(choice(), 'Words only');
  await host.asked('memory/choose-model', 2);
  expect(host.last('memory/choose-model')).toEqual({ model: '' });
});

test('the automatic choice is sent as none', async () => {
  const { user, host } = await show({ ...found, choice: 'embeddinggemma:300m' });
  expect(choice().value).toBe('embeddinggemma:300m');
  await user.selectOptions(choice(), 'Automatic');
  await host.asked('memory/choose-model');
  expect(host.last('memory/choose-model')).toEqual({ model: null });
});

test('a chosen model that is gone stays to be seen in the choice', async () => {
  await show({ ...found, choice: 'gone:1b', model: null, problem: { kind: 'gone', text: 'gone:1b' } });
  expect(choice().selectedOptions[0]?.textContent).toBe('gone:1b, not installed');
});

test('models to install are offered where there is none, and nothing is to be chosen', async () => {
  const { user, engine } = await show(byWordsAlone);
  engine.answer('model/pull', () => ({}));
  expect(status()).toBe('By words only. No embedding model is installed.');
  expect(screen.queryByRole('combobox')).toBeNull();
  const [first] = screen.getAllByRole('listitem');
  if (!first) throw new Error('Nothing is offered.');
  expect(first.textContent).toContain('embeddinggemma:300m');
  await user.click(within(first).getByRole('button'));
  await engine.asked('model/pull');
  expect(engine.last('model/pull')).toEqual({ model: 'embeddinggemma:300m' });
});

test('a choice that is refused is told', async () => {
  const { user, host } = await show(found);
  host.answer('memory/choose-model', () => new Error('It is not installed.'));
  await user.selectOptions(choice(), 'Words only');
  await host.asked('memory/choose-model');
  await act(() => settled());
  expect(screen.getByRole('alert').textContent).toContain('not installed');
});
