import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi, type MockInstance } from 'vitest';
import { pageHighlighter } from '../components/code/highlighter.ts';
import { directLexer } from '../components/markdown/reader.ts';
import { pageDrawings } from '../components/drawings/drawings.ts';
import { createWorkerStarter } from '../components/page-worker.ts';
import { openTestWindow } from '../testing/window-kit.tsx';
import { App } from './app.tsx';

// React writes down what a boundary caught.
let written: MockInstance;
beforeEach(() => {
  written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => written.mockRestore());

it('a window that cannot be drawn says why, and what to do', async () => {
  const { services, commands, stores } = await openTestWindow();
  stores.ui.setState({ notices: null as never });
  const onReload = vi.fn<() => void>();
  render(
    <App
      app={{
        services,
        commands,
        highlighter: pageHighlighter(window, createWorkerStarter(window)),
        markdown: directLexer,
        drawings: pageDrawings(window, createWorkerStarter(window)),
      }}
      onReload={onReload}
    />,
  );
  expect(screen.getByRole('alert').textContent).toContain('null');
  await userEvent.click(screen.getByRole('button', { name: 'Reload the window' }));
  expect(onReload).toHaveBeenCalledOnce();
});

it('settings that cannot be drawn leave the session within reach', async () => {
  const { services, commands, stores } = await openTestWindow();
  stores.ui.setState({ view: 'settings' });
  stores.host.setState({ connection: 'connecting', problems: null as never });
  render(
    <App
      app={{
        services,
        commands,
        highlighter: pageHighlighter(window, createWorkerStarter(window)),
        markdown: directLexer,
        drawings: pageDrawings(window, createWorkerStarter(window)),
      }}
      onReload={() => undefined}
    />,
  );
  await screen.findByText('The settings could not be shown');
  await userEvent.click(screen.getByRole('button', { name: 'Back to the session' }));
  expect(stores.ui.getState().view).toBe('session');
});
