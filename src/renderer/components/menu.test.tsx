import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { Button } from './button.tsx';
import { Menu, MenuChoices, MenuItem, type Choice } from './menu.tsx';

function open(): ReturnType<typeof userEvent.setup> {
  render(
    <Menu trigger={<Button label="Actions" icon="more" />}>
      <MenuItem icon="edit" onClick={() => undefined}>
        Rename
      </MenuItem>
      <MenuItem icon="trash" onClick={() => undefined}>
        Delete
      </MenuItem>
    </Menu>,
  );
  return userEvent.setup();
}

function Profiles({ choices }: { choices: Choice<string>[] }) {
  return (
    <Menu trigger={<Button label="Actions" icon="more" />}>
      <MenuChoices heading="Profile" value={null} choices={choices} onChoose={() => undefined} />
    </Menu>
  );
}

const trigger = (): HTMLElement => screen.getByRole('button', { name: 'Actions' });
const highlighted = (): string | undefined =>
  document.querySelector('[role^=menuitem][data-highlighted]')?.textContent;

describe('a menu', () => {
  it.each(['{Enter}', ' ', '{ArrowDown}'])(
    'is opened by the key %j the first time, at its first item',
    async (key) => {
      const user = open();
      trigger().focus();
      await user.keyboard(key);
      await screen.findByRole('menuitem', { name: 'Rename' });
      await expect.poll(highlighted).toBe('Rename');
    },
  );

  it('says closed that it opens a menu, and gives the keyboard back to its button', async () => {
    const user = open();
    expect(trigger().getAttribute('aria-haspopup')).toBe('menu');
    expect(trigger().getAttribute('aria-expanded')).toBe('false');
    trigger().focus();
    await user.keyboard('{Enter}');
    await screen.findByRole('menu');
    await user.keyboard('{Escape}');
    await expect.poll(() => document.activeElement).toBe(trigger());
  });

  it('opens by the pointer without an item chosen', async () => {
    const user = open();
    await user.click(trigger());
    await screen.findByRole('menu');
    expect(highlighted()).toBeUndefined();
  });

  it('that was opened before there was anything in it begins at the first that comes, and leads on', async () => {
    const { rerender } = render(<Profiles choices={[]} />);
    const user = userEvent.setup();
    trigger().focus();
    await user.keyboard('{Enter}');
    const opened = await screen.findByRole('menu');
    await expect.poll(() => document.activeElement).toBe(opened);
    rerender(<Profiles choices={['Reader', 'Talk'].map((label) => ({ value: label, label }))} />);
    await expect.poll(highlighted).toBe('Reader');
    await user.keyboard('{ArrowDown}');
    await expect.poll(highlighted).toBe('Talk');
  });

  it('of choices that is opened by the pointer has none chosen', async () => {
    render(<Profiles choices={[{ value: 'r', label: 'Reader' }]} />);
    await userEvent.setup().click(trigger());
    const opened = await screen.findByRole('menu');
    await expect.poll(() => document.activeElement).toBe(opened);
    expect(document.querySelector('[data-highlighted]')).toBeNull();
  });
});
