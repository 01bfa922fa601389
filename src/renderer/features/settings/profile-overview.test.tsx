import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { aProfile } from '../../testing/fixtures.ts';
import { openPane } from '../../testing/profiles-pane-kit.tsx';

describe('the overview', () => {
  const changed = aProfile({ id: 'writer', name: 'Writer', builtIn: false, maxIterations: 8, think: false });
  const show = () => openPane({ first: { profileId: 'writer' }, profiles: [aProfile(), changed] });

  it('leads to each part in one step, and says where something differs', async () => {
    const { user } = await show();
    const parts = screen.getByRole('navigation', { name: 'Parts of the profile' });
    expect(within(parts).getByRole('button', { name: 'Behaviour , 2 changed' })).toBeDefined();
    await user.click(within(parts).getByRole('button', { name: 'Planning' }));
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Planning' }));
  });

  it('shows at once only what differs, until the last of it is reset', async () => {
    const { user, host, told } = await show();
    await user.click(screen.getByRole('button', { name: '2 changed: show no others' }));
    expect(screen.getByText('2 flags differ from default')).toBeDefined();
    expect(screen.queryByRole('switch')).toBeNull();
    const halfway = { ...changed, maxIterations: 20 };
    host.answer('profile/update', () => ({ profile: halfway }));
    await user.click(screen.getByRole('button', { name: 'Reset to 20' }));
    await host.asked('profile/update');
    told([aProfile(), halfway]);
    expect(screen.queryByRole('textbox', { name: 'Most iterations' })).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
    const { think: _, ...usual } = halfway;
    host.answer('profile/update', () => ({ profile: usual }));
    await user.click(screen.getByRole('button', { name: 'Reset all' }));
    expect(host.last('profile/update')).toEqual({ profileId: 'writer', changes: { think: null } });
    expect(await screen.findByRole('textbox', { name: 'Most iterations' })).toBeDefined();
    expect(screen.getByText('all flags at their defaults')).toBeDefined();
  });

  it('leads to its texts with their lengths', async () => {
    const { user } = await show();
    await user.click(screen.getByRole('button', { name: 'Change: Persona' }));
    expect(screen.getByRole('radio', { name: 'Persona' })).toHaveProperty('checked', true);
  });
});
