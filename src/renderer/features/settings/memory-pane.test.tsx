import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { settled } from '../../testing/fake-server.ts';
import { byWordsAlone, noon } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn, type TestWindow } from '../../testing/window-kit.tsx';
import { MemoryPane } from './memory-pane.tsx';

/** What the host answers from now on, which it says has changed. */
async function told({ host, stores }: TestWindow, summary: string | Error): Promise<void> {
  host.answer('memory/list', () =>
    summary instanceof Error
      ? summary
      : { facts: [], summary: { text: summary, byPerson: false, updatedAt: noon }, meaning: byWordsAlone },
  );
  act(() => stores.host.setState(({ memoryChanges = 0 }) => ({ memoryChanges: memoryChanges + 1 })));
  await act(() => settled());
}

async function open(summary: string) {
  const window = await openTestWindow();
  await told(window, summary);
  renderIn(window, <MemoryPane />);
  await act(() => settled());
  return { ...window, user: userEvent.setup() };
}

/** The field, with more words than the summary had. */
async function write(user: ReturnType<typeof userEvent.setup>, more: string): Promise<HTMLElement> {
  await user.click(screen.getByRole('button', { name: 'Change' }));
  const field = screen.getByRole('textbox', { name: 'Summary' });
  await user.type(field, more);
  return field;
}

describe('a summary that is being written', () => {
  it('stays when a model renews it meanwhile, with what it says now beside it', async () => {
    const window = await open('Anna.');
    const field = await write(window.user, ' From Munich.');
    await told(window, 'Anna codes.');
    expect(field).toHaveProperty('value', 'Anna. From Munich.');
    expect(screen.getByRole('alert').textContent).toContain('The summary changed while you were writing.');
    expect(screen.getByRole('alert').textContent).toContain('Anna codes.');
    await window.user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.getByText('Anna codes.')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('stays when what is remembered cannot be read again', async () => {
    const window = await open('Anna.');
    const field = await write(window.user, ' From Munich.');
    await told(window, new Error('The disk does not answer.'));
    expect(screen.getByRole('alert').textContent).toContain('The disk does not answer.');
    expect(document.activeElement).toBe(field);
    expect(field).toHaveProperty('value', 'Anna. From Munich.');
  });

  it('takes the keyboard behind its last word, and gives it back to the button', async () => {
    const { user } = await open('Anna.');
    await user.click(screen.getByRole('button', { name: 'Change' }));
    await user.keyboard(' From Munich.');
    expect(screen.getByRole('textbox', { name: 'Summary' })).toHaveProperty('value', 'Anna. From Munich.');
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change' }));
  });

  it('says nothing of a change where facts alone changed', async () => {
    const window = await open('Anna.');
    const field = await write(window.user, ' From Munich.');
    await told(window, 'Anna.');
    expect(field).toHaveProperty('value', 'Anna. From Munich.');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

it('A summary that a model renewed is shown at once where nothing is being written', async () => {
  const window = await open('Anna.');
  await told(window, 'Anna codes.');
  expect(screen.getByText('Anna codes.')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});
