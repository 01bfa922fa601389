import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { AndironError } from '../../../protocol/errors.ts';
import type { WebSettings } from '../../../protocol/web-methods.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { SearchSetup } from './search-setup.tsx';

const none: WebSettings = { searxng: null, keys: [], used: null };

/** A host that keeps what it is asked. */
async function open(first: WebSettings, trial: () => unknown = () => ({ service: 'searxng', results: [] })) {
  const window = await openTestWindow();
  const asked: unknown[] = [];
  let settings = first;
  window.host.answer('web/settings', () => settings);
  window.host.answer('web/change', (changes: unknown) => {
    asked.push(changes);
    return settings;
  });
  window.host.answer('web/try', (params: unknown) => {
    asked.push(params);
    return trial();
  });
  renderIn(window, <SearchSetup />);
  await act(() => settled());
  return { asked, user: userEvent.setup(), become: (next: WebSettings) => (settings = next) };
}

const row = (): HTMLElement => screen.getByText('Tavily').closest('li') as HTMLElement;

it('Without a service the settings say why no model can search the web, and offer no trial', async () => {
  await open(none);
  expect(screen.getByText(/No model can search the web yet/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Try it' })).toBeNull();
});

it('The address of a SearXNG is saved, and then it is the one that is used', async () => {
  const { asked, user, become } = await open(none);
  await user.type(screen.getByLabelText('Your SearXNG'), 'http://localhost:8888');
  become({ searxng: 'http://localhost:8888/', keys: [], used: 'searxng' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await act(() => settled());
  expect(asked).toEqual([{ searxng: 'http://localhost:8888' }]);
  expect(screen.getByText('Searches go to SearXNG.')).toBeDefined();
});

it('The address of a SearXNG is removed', async () => {
  const { asked, user } = await open({ searxng: 'http://a/', keys: [], used: 'searxng' });
  await user.click(screen.getAllByRole('button', { name: 'Remove' })[0] as HTMLElement);
  expect(asked).toEqual([{ searxng: null }]);
});

it('A key is set for its service, is not shown again, and is removed', async () => {
  const { asked, user, become } = await open(none);
  await user.click(within(row()).getByRole('button', { name: 'Set key' }));
  await user.type(screen.getByLabelText('Key for Tavily'), 'tvly-4711');
  become({ searxng: null, keys: ['tavily'], used: 'tavily' });
  await user.keyboard('{Enter}');
  await act(() => settled());
  expect(within(row()).getByText('Key saved')).toBeDefined();
  expect(document.body.innerHTML).not.toContain('tvly-4711');
  await user.click(within(row()).getByRole('button', { name: 'Remove' }));
  expect(asked).toEqual([
    { key: { service: 'tavily', value: 'tvly-4711' } },
    { key: { service: 'tavily', value: null } },
  ]);
});

it('Try it shows what a search really brought', async () => {
  const results = [{ title: 'Rain\u200b today', url: 'https://weather.example/' }];
  const { asked, user } = await open({ searxng: 'http://a/', keys: [], used: 'searxng' }, () => ({
    service: 'searxng',
    results,
  }));
  await user.clear(screen.getByLabelText('Test search'));
  await user.type(screen.getByLabelText('Test search'), 'rain');
  await user.click(screen.getByRole('button', { name: 'Try it' }));
  await act(() => settled());
  expect(asked).toEqual([{ query: 'rain' }]);
  expect(screen.getByText('SearXNG found:')).toBeDefined();
  expect(screen.getByRole('link').getAttribute('href')).toBe('https://weather.example/');
  expect(screen.getByText('U+200B')).toBeDefined();
});

it('Try it says in words why a search failed', async () => {
  const refusal = new AndironError('engine_refused', 'SearXNG answers with 403.', 'It must list json.');
  const { user } = await open({ searxng: 'http://a/', keys: [], used: 'searxng' }, () => refusal);
  await user.click(screen.getByRole('button', { name: 'Try it' }));
  await act(() => settled());
  const said = screen.getByRole('alert').textContent;
  expect(said).toContain('SearXNG answers with 403.');
  expect(said).toContain('It must list json.');
});
