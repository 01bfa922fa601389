import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Skill, SkillList } from '../../../protocol/skill-methods.ts';
import { aSession, aSnapshot } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { ConnectionsPane } from './connections-pane.tsx';

const skill = (name: string, more: Partial<Skill> = {}): Skill => ({
  name,
  description: `Does ${name}`,
  place: 'home',
  path: `/home/ann/.agents/skills/${name}`,
  state: 'on',
  problem: '',
  hash: 'a'.repeat(64),
  tokens: 94,
  ...more,
});
const folder: NonNullable<SkillList['folder']> = {
  path: '/home/ann/kiln',
  isTrusted: false,
  agentsFile: null,
  waiting: { agentsFile: true, skills: 2 },
};

/** A host that keeps what it is asked. */
async function open(skills: Skill[], given: SkillList['folder'] = null) {
  const window = await openTestWindow();
  const asked: unknown[] = [];
  const answer = (): SkillList => ({ skills, folder: given, ownFolder: '/data/skills' });
  window.host.answer('skill/list', answer);
  for (const method of ['skill/allow', 'skill/turn-off', 'skill/trust-folder'] as const)
    window.host.answer(method, (params: object) => {
      asked.push([method, params]);
      return answer();
    });
  if (given)
    window.stores.session.setState({
      sessionId: 's1',
      state: aSnapshot({ session: aSession({ id: 's1' }) }),
    });
  window.stores.ui.setState({ connectionsTab: 'skills' });
  renderIn(window, <ConnectionsPane />);
  await act(() => settled());
  return { asked, user: userEvent.setup(), window };
}

const rowOf = (name: string) => within(screen.getByText(name).closest('li') ?? document.body);

it('Skills are a click away from servers', async () => {
  const window = await openTestWindow();
  window.host.answer('mcp/list', () => ({ servers: [], problem: null, headTokens: 0 }));
  window.host.answer('skill/list', () => ({ skills: [skill('notes')], folder: null, ownFolder: '' }));
  renderIn(window, <ConnectionsPane />);
  await act(() => settled());
  await userEvent.setup().click(screen.getByRole('radio', { name: 'Skills' }));
  await act(() => settled());
  expect(screen.getByText('Does notes')).toBeDefined();
});

it('Skills say where they go before there is one', async () => {
  await open([]);
  expect(screen.getByText(/Put yours into \/data\/skills/)).toBeDefined();
});

it.each<[string, Partial<Skill>, string]>([
  ['nobody has allowed', { state: 'waiting' }, 'Waiting for you'],
  ['changed', { state: 'changed' }, 'Changed since you allowed it'],
  ['has a nearer one of its name', { state: 'shadowed' }, 'Another skill with this name is used'],
  [
    'is broken',
    { state: 'broken', problem: 'SKILL.md has no name', hash: '' },
    'Can’t be used: SKILL.md has no name',
  ],
])('A skill that %s says so, and has no switch', async (_what, more, words) => {
  await open([skill('notes', more)]);
  expect(screen.getByText(words)).toBeDefined();
  expect(screen.queryByRole('switch')).toBeNull();
});

it('A skill shows what it is for, where it lies and what it costs', async () => {
  await open([skill('notes'), skill('broken', { state: 'broken', tokens: 0 })]);
  expect(screen.getByText('Does notes')).toBeDefined();
  expect(rowOf('notes').getByText('~/.agents/skills')).toBeDefined();
  expect(rowOf('notes').getByText('94 tokens')).toBeDefined();
  expect(rowOf('broken').getByText('nothing')).toBeDefined();
});

it('A skill is allowed as it is shown, by its hash', async () => {
  const { asked, user } = await open([skill('notes', { state: 'waiting' })]);
  await user.click(screen.getByRole('button', { name: 'Allow' }));
  const path = '/home/ann/.agents/skills/notes';
  expect(asked).toEqual([['skill/allow', { path, hash: 'a'.repeat(64), workspace: '/w' }]]);
});

it('A skill is turned off and on with its switch, for the folder of the open session too', async () => {
  const { asked, user } = await open([skill('a'), skill('b', { state: 'off' })], folder);
  await user.click(screen.getByRole('switch', { name: 'Use a', checked: true }));
  await user.click(screen.getByRole('switch', { name: 'Use b', checked: false }));
  expect(asked).toEqual([
    ['skill/turn-off', { path: '/home/ann/.agents/skills/a', workspace: '/w' }],
    ['skill/allow', { path: '/home/ann/.agents/skills/b', hash: 'a'.repeat(64), workspace: '/w' }],
  ]);
});

it('What failed is said beside the skill', async () => {
  const { window, user } = await open([skill('notes', { state: 'waiting' })]);
  window.host.answer('skill/allow', () => new Error('This skill changed.'));
  await user.click(screen.getByRole('button', { name: 'Allow' }));
  await act(() => settled());
  expect(rowOf('notes').getByRole('alert')).toBeDefined();
});

it('A folder that has something to say is trusted with a click', async () => {
  const { asked, user } = await open([], folder);
  const region = within(screen.getByRole('region', { name: 'This folder has AGENTS.md and 2 skills' }));
  expect(region.getByText('/home/ann/kiln')).toBeDefined();
  await user.click(region.getByRole('button', { name: 'Trust folder' }));
  expect(asked).toEqual([['skill/trust-folder', { workspace: '/home/ann/kiln', isTrusted: true }]]);
});

it('A folder that has nothing to say is not spoken of', async () => {
  await open([], { ...folder, waiting: { agentsFile: false, skills: 0 } });
  expect(screen.queryByRole('region')).toBeNull();
});

it.each<[string, NonNullable<SkillList['folder']>['agentsFile'], string]>([
  [
    'tells what its AGENTS.md costs',
    { shown: '../AGENTS.md', tokens: 212, isCut: true, problem: '' },
    'New sessions begin with ../AGENTS.md (its first 16 kB): 212 tokens.',
  ],
  [
    'tells why its AGENTS.md is not used',
    { shown: 'AGENTS.md', tokens: 0, isCut: false, problem: 'it is not a text' },
    'AGENTS.md can’t be used: it is not a text.',
  ],
  ['tells that it has no AGENTS.md', null, 'It has no AGENTS.md.'],
])('A trusted folder %s, and is trusted no longer with a click', async (_what, agentsFile, words) => {
  const { asked, user } = await open([], { ...folder, isTrusted: true, agentsFile });
  expect(screen.getByText(words)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Stop trusting' }));
  expect(asked).toEqual([['skill/trust-folder', { workspace: '/home/ann/kiln', isTrusted: false }]]);
});

it('A name that hides something shows it', async () => {
  await open([skill('a\u202Eb', { state: 'broken' })]);
  expect(document.body.textContent).not.toContain('\u202E');
});
