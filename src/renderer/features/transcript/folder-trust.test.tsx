import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Skill, SkillList } from '../../../protocol/skill-methods.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { FolderTrust } from './folder-trust.tsx';

const path = '/home/ann/kiln';
const nothing = { agentsFile: false, skills: 0 };
const folder = (more: Partial<NonNullable<SkillList['folder']>> = {}): SkillList['folder'] => ({
  path,
  isTrusted: false,
  agentsFile: null,
  waiting: nothing,
  ...more,
});
const skill = (state: Skill['state'], place: Skill['place'] = 'workspace'): Skill => ({
  name: state,
  description: '',
  place,
  path: `${path}/${place}/${state}`,
  state,
  problem: '',
  hash: '',
  tokens: 90,
});
const agentsFile = { shown: 'AGENTS.md', tokens: 212, isCut: false, problem: '' };

/** A host whose folder is trusted once that was asked for. */
async function open(before: SkillList['folder'], after = before, skills: Skill[] = []) {
  const window = await openTestWindow();
  const asked: unknown[] = [];
  let now = before;
  window.host.answer('skill/list', (params: object) => {
    asked.push(params);
    return { skills, folder: now, ownFolder: '/data/skills' };
  });
  window.host.answer('skill/trust-folder', (params: object) => {
    asked.push(params);
    now = after;
    window.stores.host.setState(({ skillChanges = 0 }) => ({ skillChanges: skillChanges + 1 }));
    return { skills, folder: now, ownFolder: '/data/skills' };
  });
  renderIn(window, <FolderTrust workspace={path} />);
  await act(() => settled());
  return { asked, window, user: userEvent.setup() };
}

it('A folder that says nothing to agents is not spoken of', async () => {
  await open(folder(), folder(), [skill('on', 'data')]);
  expect(screen.queryByRole('region')).toBeNull();
});

it('A folder with instructions is trusted before the first message, which then begins with them', async () => {
  const { asked, user } = await open(
    folder({ waiting: { agentsFile: true, skills: 1 } }),
    folder({ isTrusted: true, agentsFile }),
    [skill('waiting')],
  );
  expect(screen.getByText('This folder has AGENTS.md and 1 skill')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Trust folder' }));
  await act(() => settled());
  expect(asked).toEqual([{ workspace: path }, { workspace: path, isTrusted: true }, { workspace: path }]);
  expect(screen.getByText('This session begins with AGENTS.md: 212 tokens.')).toBeDefined();
  expect(screen.getByText('1 skill waits for your yes.')).toBeDefined();
});

it('Skills that wait are a click away', async () => {
  const { user, window } = await open(folder({ isTrusted: true }), undefined, [
    skill('changed'),
    skill('on'),
  ]);
  await user.click(screen.getByRole('button', { name: 'Look at skills' }));
  const { view, settingsSection, connectionsTab } = window.stores.ui.getState();
  expect([view, settingsSection, connectionsTab]).toEqual(['settings', 'connections', 'skills']);
});

it('A folder that can no longer be trusted says why, and stays as it was', async () => {
  const { user, window } = await open(folder({ waiting: { agentsFile: true, skills: 0 } }));
  window.host.answer('skill/trust-folder', () => new Error('The folder is gone.'));
  await user.click(screen.getByRole('button', { name: 'Trust folder' }));
  await act(() => settled());
  expect(screen.getByRole('alert').textContent).toBe('The folder is gone.');
  expect(screen.getByRole('button', { name: 'Trust folder' })).toBeDefined();
});

it('Of a trusted folder whose skills are all decided, what is used of it is said', async () => {
  await open(folder({ isTrusted: true, agentsFile }), undefined, [skill('on'), skill('off')]);
  expect(screen.getByText('1 skill of it can be used.')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});
