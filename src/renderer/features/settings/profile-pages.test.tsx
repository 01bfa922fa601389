import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { aProfile } from '../../testing/fixtures.ts';
import { openPane } from '../../testing/profiles-pane-kit.tsx';

const changed = aProfile({ id: 'writer', name: 'Writer', builtIn: false, maxIterations: 8, think: false });
const show = () => openPane({ first: { profileId: 'writer' }, profiles: [aProfile(), changed] });
const pages = () => within(screen.getByRole('tablist', { name: 'Pages of the profile' }));
const open = (): string | null => pages().getByRole('tab', { selected: true }).textContent;

describe('the tabs of a profile', () => {
  it('begin with name and description, and each shows its own flags at a click (audit-U21)', async () => {
    const { user } = await show();
    expect(
      pages()
        .getAllByRole('tab')
        .map((tab) => tab.textContent),
    ).toEqual(['Prompt', 'Tools', 'Model, 1 changed', 'Limits, 1 changed', 'Advanced', 'File']);
    const [first, second] = within(screen.getByRole('tabpanel', { name: 'Prompt' })).getAllByRole('textbox');
    expect([first, second].map((field) => field?.getAttribute('aria-label'))).toEqual([
      'Name',
      'Description',
    ]);
    const shows = {
      Tools: ['checkbox', /^read_file/],
      Model: ['textbox', 'Seed'],
      Limits: ['textbox', 'Max steps'],
      Advanced: ['switch', 'Plan first'],
    } as const;
    for (const [page, [role, name]] of Object.entries(shows)) {
      expect(screen.queryByRole(role, { name })).toBeNull();
      await user.click(pages().getByRole('tab', { name: new RegExp(`^${page}`) }));
      expect(screen.getByRole(role, { name })).toBeDefined();
    }
  });

  it('are one tab stop, gone through with arrow keys, Home and End (audit-U21)', async () => {
    const { user } = await show();
    await user.click(pages().getByRole('tab', { name: 'Prompt' }));
    const seen = [];
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'End', 'Home']) {
      await user.keyboard(`{${key}}`);
      expect(document.activeElement?.textContent).toBe(open());
      seen.push(open());
    }
    expect(seen).toEqual(['Tools', 'Prompt', 'File', 'Prompt', 'File', 'Prompt']);
    expect(
      pages()
        .getAllByRole('tab')
        .filter((tab) => tab.tabIndex === 0),
    ).toHaveLength(1);
  });
});

describe('what was changed of a profile', () => {
  it('is shown at once with nothing else, until the last of it is reset', async () => {
    const { user, host, told } = await show();
    await user.click(screen.getByRole('button', { name: '2 changed: show no others' }));
    expect(screen.getByText('2 flags differ from default')).toBeDefined();
    expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
    const halfway = { ...changed, maxIterations: 20 };
    host.answer('profile/update', () => ({ profile: halfway }));
    await user.click(screen.getByRole('button', { name: 'Reset to 20' }));
    await host.asked('profile/update');
    told([aProfile(), halfway]);
    expect(screen.queryByRole('textbox', { name: 'Max steps' })).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
    const { think: _, ...usual } = halfway;
    host.answer('profile/update', () => ({ profile: usual }));
    await user.click(screen.getByRole('button', { name: 'Reset all' }));
    expect(host.last('profile/update')).toEqual({ profileId: 'writer', changes: { think: null } });
    expect(await screen.findByRole('textbox', { name: 'Name' })).toBeDefined();
    expect(screen.queryByRole('button', { name: /changed/ })).toBeNull();
  });

  it('gives way to a page that is opened', async () => {
    const { user } = await show();
    await user.click(screen.getByRole('button', { name: '2 changed: show no others' }));
    await user.click(pages().getByRole('tab', { name: 'Advanced' }));
    expect(screen.getByRole('switch', { name: 'Plan first' })).toBeDefined();
  });
});
