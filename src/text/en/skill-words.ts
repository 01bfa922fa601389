import { plural } from './figures.ts';

/** Skills and the instructions of a folder, in the settings. */
export const skillsPane = {
  tabs: 'What is shown',
  servers: 'Servers',
  skills: 'Skills',
  failed: 'The skills could not be read.',
  asking: 'Loading…',
  help: 'A skill costs its description, about 100 tokens, until the model opens it. Changes apply to new sessions.',
  none: 'No skills yet',
  noneHelp: (folder: string): string =>
    `A skill is a folder with a SKILL.md. Put yours into ${folder} or ~/.agents/skills.`,
  columns: { name: 'Skill', use: 'What it is for', place: 'Folder', price: 'Price' },
  tokens: (tokens: number): string => plural(tokens, 'token', 'tokens'),
  noPrice: 'nothing',
  places: { data: 'Your skills', home: '~/.agents/skills', workspace: 'This session’s folder' },
  /** Said before the place by screen readers, and when the pointer rests on it. */
  open: (name: string): string => `Open the folder of ${name}`,
  copy: (name: string): string => `Copy the path of ${name}`,
  use: (name: string): string => `Use ${name}`,
  allow: 'Allow',
  allowLabel: (name: string): string => `Allow ${name}`,
  waiting: 'Waiting for you',
  changed: 'Changed since you allowed it',
  shadowed: 'Another skill with this name is used',
  broken: (problem: string): string => `Can’t be used: ${problem}`,

  folderHas: (agentsFile: boolean, skills: number): string => {
    const parts = [
      ...(agentsFile ? ['AGENTS.md'] : []),
      ...(skills > 0 ? [plural(skills, 'skill', 'skills')] : []),
    ];
    return `This folder has ${parts.join(' and ')}`;
  },
  notTrusted: 'Andiron reads none of it until you trust the folder. You then allow each skill.',
  trust: 'Trust folder',
  distrust: 'Stop trusting',
  trusted: 'You trust this folder',
  folderSays: 'What this folder says to agents',
  beginsWith: (shown: string, tokens: number): string =>
    `This session begins with ${shown}: ${plural(tokens, 'token', 'tokens')}.`,
  skillsWait: (count: number): string => `${plural(count, 'skill waits', 'skills wait')} for your yes.`,
  skillsOn: (count: number): string =>
    count === 0 ? 'No skill of it is used.' : `${plural(count, 'skill', 'skills')} of it can be used.`,
  look: 'Look at skills',
  noAgentsFile: 'It has no AGENTS.md.',
  agentsFile: (shown: string, tokens: number, isCut: boolean): string =>
    `New sessions begin with ${shown}${isCut ? ' (its first 16 kB)' : ''}: ${plural(tokens, 'token', 'tokens')}.`,
  agentsBroken: (shown: string, problem: string): string => `${shown} can’t be used: ${problem}.`,
};
