import type { skillsPane as english } from '../en/skill-words.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, plural } from './figures.ts';

/** Skills and the instructions of a folder, in the settings. */
export const skillsPane: InAnyWords<typeof english> = {
  tabs: 'Ansicht',
  servers: 'Server',
  skills: 'Skills',
  failed: 'Die Skills konnten nicht gelesen werden.',
  asking: 'Wird geladen …',
  help: 'Bis das Modell einen Skill öffnet, kostet er nur seine Beschreibung, etwa 100 Token. Änderungen gelten für neue Sitzungen.',
  none: 'Noch keine Skills',
  noneHelp: (folder) =>
    `Ein Skill ist ein Ordner mit einer SKILL.md. Leg deine in ${folder} oder ~/.agents/skills ab.`,
  columns: { name: 'Skill', use: 'Wofür er da ist', place: 'Ordner', price: 'Kosten' },
  tokens: (tokens) => plural(tokens, 'Token', 'Token'),
  noPrice: 'nichts',
  places: { data: 'Deine Skills', home: '~/.agents/skills', workspace: 'Ordner dieser Sitzung' },
  open: (name) => `Ordner von ${name} öffnen`,
  copy: (name) => `Pfad von ${name} kopieren`,
  use: (name) => `${name} verwenden`,
  allow: 'Erlauben',
  allowLabel: (name) => `${name} erlauben`,
  waiting: 'Wartet auf dich',
  changed: 'Geändert, seit du ihn erlaubt hast',
  shadowed: 'Ein anderer Skill mit diesem Namen wird verwendet',
  broken: (problem) => `Nicht verwendbar: ${problem}`,

  folderHas: (agentsFile, skills) => {
    const parts = [
      ...(agentsFile ? ['AGENTS.md'] : []),
      ...(skills > 0 ? [plural(skills, 'Skill', 'Skills')] : []),
    ];
    return `In diesem Ordner: ${parts.join(' und ')}`;
  },
  notTrusted:
    'Andiron liest davon nichts, bis du dem Ordner vertraust. Danach erlaubst du jeden Skill einzeln.',
  trust: 'Ordner vertrauen',
  distrust: 'Nicht mehr vertrauen',
  trusted: 'Du vertraust diesem Ordner',
  folderSays: 'Was dieser Ordner Agenten sagt',
  beginsWith: (shown, tokens) => `Diese Sitzung beginnt mit ${shown}: ${plural(tokens, 'Token', 'Token')}.`,
  skillsWait: (number) =>
    number === 1
      ? '1 Skill wartet auf deine Erlaubnis.'
      : `${count(number)} Skills warten auf deine Erlaubnis.`,
  skillsOn: (number) => {
    if (number === 0) return 'Kein Skill von hier ist aktiv.';
    return number === 1
      ? '1 Skill von hier ist verwendbar.'
      : `${count(number)} Skills von hier sind verwendbar.`;
  },
  look: 'Skills ansehen',
  noAgentsFile: 'Der Ordner hat keine AGENTS.md.',
  agentsFile: (shown, tokens, isCut) =>
    `Neue Sitzungen beginnen mit ${shown}${isCut ? ' (nur die ersten 16 kB)' : ''}: ${plural(tokens, 'Token', 'Token')}.`,
  agentsBroken: (shown, problem) => `${shown} ist nicht verwendbar: ${problem}.`,
};
