import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { expect, it, vi } from 'vitest';
import { keyboardScrollable } from '../../components/scroll-region.tsx';
import { aSession } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { useSelectWhole } from './use-select-whole.ts';

function Log() {
  const scroller = useRef<HTMLDivElement>(null);
  const whole = useSelectWhole(scroller);
  return (
    <div ref={scroller} role="log" aria-label="Conversation" {...keyboardScrollable}>
      {whole ? 'all of it' : 'nothing'}
      <textarea aria-label="Field" defaultValue="a draft" />
    </div>
  );
}

async function open() {
  const window = await openTestWindow();
  const user = userEvent.setup();
  const copied = vi.spyOn(navigator.clipboard, 'writeText');
  window.host.answer('session/export-markdown', () => ({ markdown: '# All of it\n' }));
  window.stores.host.setState({ sessions: [aSession()] });
  window.stores.ui.setState({ openSessionId: 's1' });
  renderIn(window, <Log />);
  const log = screen.getByRole('log');
  return { ...window, user, log, copied, shown: () => log.firstChild?.textContent };
}

const selectAll = '{Control>}a{/Control}';

it('takes all of the conversation by Ctrl+A, and copies it whole, whatever of it is drawn', async () => {
  const { user, log, shown, host, stores, copied } = await open();
  log.focus();
  expect(shown()).toBe('nothing');
  await user.keyboard(selectAll);
  expect(shown()).toBe('all of it');
  expect(document.getSelection()?.toString()).toBe('');
  expect(fireEvent.copy(log)).toBe(false);
  await host.asked('session/export-markdown');
  expect(host.last('session/export-markdown')).toEqual({ sessionId: 's1' });
  await vi.waitFor(() => expect(stores.ui.getState().notices).toHaveLength(1), 60_000);
  expect(copied).toHaveBeenCalledExactlyOnceWith('# All of it\n');
  expect(stores.ui.getState().notices[0]).toMatchObject({ news: true });
});

it('gives the selection up by Escape, which stops no turn, by a press, and when the keyboard leaves', async () => {
  const { user, log, shown, host } = await open();
  const heard = vi.fn<(event: KeyboardEvent) => void>();
  document.addEventListener('keydown', heard);
  log.focus();
  await user.keyboard(`${selectAll}{Escape}`);
  document.removeEventListener('keydown', heard);
  expect(shown()).toBe('nothing');
  expect(heard.mock.calls.flat()).not.toContainEqual(expect.objectContaining({ key: 'Escape' }));
  await user.keyboard(selectAll);
  await user.click(document.body);
  expect(shown()).toBe('nothing');
  log.focus();
  await user.keyboard(`${selectAll}{Tab}`);
  expect(shown()).toBe('nothing');
  expect(fireEvent.copy(log)).toBe(true);
  expect(host.count('session/export-markdown')).toBe(0);
});

it('leaves a field in the transcript its own', async () => {
  const { user, shown } = await open();
  await user.click(screen.getByRole('textbox', { name: 'Field' }));
  await user.keyboard(selectAll);
  expect(shown()).toBe('nothing');
});
