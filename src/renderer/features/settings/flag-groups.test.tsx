import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ProfileChanges } from '../../../protocol/model.ts';
import { dictionaryOf, firstDictionary } from '../../../text/dictionaries.ts';
import { aProfile } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { speakFrom } from '../../text.ts';
import { FlagGroups } from './flag-groups.tsx';
import { groups } from './profile-flags.ts';

async function show(over = {}) {
  const window = await openTestWindow();
  const onChange = vi.fn<(changes: ProfileChanges) => void>();
  renderIn(window, <FlagGroups groups={groups} profile={aProfile(over)} onChange={onChange} />);
  return { user: userEvent.setup(), onChange };
}

async function showInGerman(over = {}) {
  speakFrom(await dictionaryOf('de'));
  return show(over);
}

it('groups the flags under what they are about', async () => {
  await show();
  expect(screen.getAllByRole('heading').map((heading) => heading.firstChild?.textContent)).toEqual([
    'Name',
    'Tools',
    'Context',
    'Thinking and sampling',
    'Limits',
    'Planning',
    'Steering',
    'Subagents',
    'Memory',
  ]);
});

it('switches by keyboard, and says what the switch does', async () => {
  const { user, onChange } = await show();
  const planning = screen.getByRole('switch', { name: 'Plan first' });
  expect(planning.getAttribute('aria-checked')).toBe('false');
  planning.focus();
  await user.keyboard(' ');
  expect(onChange).toHaveBeenLastCalledWith({ planningEnabled: true });
});

it('brings a switch and its figure back together', async () => {
  const { user, onChange } = await show({ goalAnchoringEnabled: false, goalAnchoringInterval: 3 });
  await user.click(screen.getByRole('button', { name: 'Reset to on, 5' }));
  expect(onChange).toHaveBeenLastCalledWith({ goalAnchoringEnabled: true, goalAnchoringInterval: 5 });
});

it('takes a share of the window in percent', async () => {
  const { user, onChange } = await show();
  const field = screen.getByRole('textbox', { name: 'Summarise from' });
  expect(field).toHaveProperty('value', '75');
  await user.clear(field);
  await user.type(field, '60{Enter}');
  expect(onChange).toHaveBeenLastCalledWith({ compactAt: 0.6 });
});

describe('in German', () => {
  afterEach(() => speakFrom(firstDictionary));

  it('takes a figure with the groups that it is shown with', async () => {
    const { user, onChange } = await showInGerman({ contextTokens: 32_768 });
    const field = screen.getByRole('textbox', { name: 'Kontext' });
    expect(field).toHaveProperty('value', '32.768');
    await user.clear(field);
    await user.type(field, '65.536{Enter}');
    expect(onChange).toHaveBeenLastCalledWith({ contextTokens: 65_536 });
  });

  it('takes "1.000" as a thousand seconds', async () => {
    const { user, onChange } = await showInGerman();
    const field = screen.getByRole('textbox', { name: 'Warten auf eine Antwort' });
    await user.clear(field);
    await user.type(field, '1.000{Enter}');
    expect(onChange).toHaveBeenLastCalledWith({ firstTokenTimeoutS: 1000 });
  });

  it('writes and takes decimals with a comma', async () => {
    const { user, onChange } = await showInGerman({ sampling: { temperature: 0.7 } });
    const field = screen.getByRole('textbox', { name: 'Temperatur' });
    expect(field).toHaveProperty('value', '0,7');
    await user.clear(field);
    await user.type(field, '0,8{Enter}');
    expect(onChange).toHaveBeenLastCalledWith({ sampling: { temperature: 0.8 } });
  });
});

it('gives subagents a choice of tools, which is never empty', async () => {
  const { user, onChange } = await show({ tools: ['read_file', 'glob'] });
  await user.click(screen.getByRole('radio', { name: 'A choice' }));
  expect(onChange).toHaveBeenLastCalledWith({ subagentTools: ['read_file', 'glob'] });
});

it('cannot take away the last tool of that choice', async () => {
  const { user, onChange } = await show({ subagentTools: ['read_file'] });
  expect(screen.getByRole('checkbox', { name: /^read_file/ })).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('checkbox', { name: /^glob/ }));
  expect(onChange).toHaveBeenLastCalledWith({ subagentTools: ['read_file', 'glob'] });
});

it('says as it is typed what cannot be, and takes nothing of it', async () => {
  const { user, onChange } = await show();
  const field = screen.getByRole('textbox', { name: 'Context' });
  await user.clear(field);
  await user.type(field, '20');
  expect(screen.getByText('A whole number, at least 2,048.')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
  await user.type(field, '48');
  expect(screen.queryByText('A whole number, at least 2,048.')).toBeNull();
  expect(onChange).not.toHaveBeenCalled();
});

it('marks what differs from its default, and brings it back', async () => {
  const { user, onChange } = await show({ sampling: { top_k: 40, seed: 7 } });
  expect(screen.getAllByText('Changed from its default.')).toHaveLength(2);
  const [first] = screen.getAllByRole('button', { name: 'Reset' });
  if (first) await user.click(first);
  expect(onChange).toHaveBeenLastCalledWith({ sampling: { seed: 7 } });
});

const describes = (name: string): string => {
  const ids = screen.getByRole('textbox', { name }).getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent).join(' ');
};

it('says of every figure what it may be', async () => {
  await show();
  expect(describes('Max steps')).toContain('1 to 200');
  expect(describes('Context')).toContain('at least 2,048');
  expect(describes('Seed')).toContain('any whole number');
});
