/** Skills in the settings: in every state in a folder that is trusted, a folder that is not, and none yet. */
import type { Skill, SkillList } from '../../protocol/skill-methods.ts';
import { settings, type Scene } from './scene.tsx';
import { askingSession } from './session-fixtures.ts';

const skill = (name: string, description: string, more: Partial<Skill> = {}): Skill => ({
  name,
  description,
  place: 'workspace',
  path: `/home/ann/kiln/.agents/skills/${name}`,
  state: 'on',
  problem: '',
  hash: 'a'.repeat(64),
  tokens: 60 + description.length,
  ...more,
});

const path = '/home/ann/kiln';
const ownFolder = '/home/ann/.local/share/andiron/skills';
const nothing = { agentsFile: false, skills: 0 };
const agentsFile = { shown: '../AGENTS.md', tokens: 212, isCut: false, problem: '' };

const skills: Skill[] = [
  skill('brand-voice', '', {
    place: 'home',
    state: 'broken',
    problem: 'SKILL.md has no description',
    hash: '',
    tokens: 0,
  }),
  skill('deploy', 'Deploys the site to a host and checks that it answers.', { state: 'waiting' }),
  skill('release-notes', 'Writes notes from merged changes.', { state: 'off' }),
  skill('sql-review', 'Checks a migration for locks and data loss.', { place: 'data' }),
  skill('sql-review', 'Checks a migration.', {
    path: '/home/ann/.agents/skills/sql-review',
    place: 'home',
    state: 'shadowed',
  }),
  skill('word-report', 'Makes Word documents with charts, tables and a list of sources.', {
    place: 'home',
    state: 'changed',
  }),
];

const pane = (id: string, list: Omit<SkillList, 'ownFolder'>): Scene =>
  settings(id, 'connections', (now) => ({
    session: askingSession(now),
    ui: { connectionsTab: 'skills' },
    hostAnswers: { 'skill/list': () => ({ ...list, ownFolder }) },
  }));

export const skillScenes: Scene[] = [
  pane('skills', { skills, folder: { path, isTrusted: true, agentsFile, waiting: nothing } }),
  pane('skills-untrusted', {
    skills: skills.filter(({ place }) => place !== 'workspace'),
    folder: { path, isTrusted: false, agentsFile: null, waiting: { agentsFile: true, skills: 2 } },
  }),
  pane('skills-none', { skills: [], folder: { path, isTrusted: false, agentsFile: null, waiting: nothing } }),
];
