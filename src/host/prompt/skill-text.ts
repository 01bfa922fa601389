/** What a model reads of skills and of the instructions of a folder. None of it stands in a head, which never changes. */
import { escapeNotes } from './notes.ts';

interface Named {
  name: string;
  description: string;
}

export interface Guidance {
  /** `AGENTS.md` of the folder; null = none is in use. */
  agents: { shown: string; text: string; isCut: boolean } | null;
  /** For a model that chooses one by itself, sorted. */
  skills: readonly Named[];
  /** The skill that the host chose for it; null = none. */
  chosen: string | null;
}

const cutLine = '... [truncated]';
const endOfInstructions = 'End of the instructions for this folder.';

/** What `guidanceText` writes of a folder, at its beginning. */
export const folderInstructions =
  /^Instructions for this folder \(.*\):\n[\s\S]*?\nEnd of the instructions for this folder\.\n\n/;

/** Stands in an opening; '' = there is nothing to say. */
export function guidanceText({ agents, skills, chosen }: Guidance): string {
  const parts = [];
  if (agents) {
    const { shown, text, isCut } = agents;
    const lines = text.split('\n').filter((line) => line !== endOfInstructions);
    const shownText = escapeNotes([...lines, ...(isCut ? [cutLine] : [])].join('\n'));
    parts.push(`Instructions for this folder (${escapeNotes(shown)}):\n${shownText}\n${endOfInstructions}`);
  }
  if (skills.length > 0) parts.push(listText(skills));
  if (chosen !== null) parts.push(chosen);
  return parts.join('\n\n');
}

/** What one line of it costs is the price of a skill. */
export const skillLine = ({ name, description }: Named): string => `- ${name}: ${escapeNotes(description)}`;

const listText = (skills: readonly Named[]): string =>
  [
    'Skills, each with instructions for one kind of task. Load the one that fits with load_skill before you begin:',
    ...skills.map(skillLine),
  ].join('\n');

export interface ShownSkill {
  name: string;
  /** Neither the person nor Andiron put it where it lies. */
  isForeign: boolean;
  folder: string;
  files: readonly string[];
  body: string;
  /** Of SKILL.md, where the body begins. */
  bodyLine: number;
}

const ownSkill = 'Skill of the person: ';
const foreignSkill = 'Skill of somebody else: ';
const maxNamedFiles = 30;

/** As much of the body as fits in `most` characters, in whole lines, and where to read on. */
export function skillText(skill: ShownSkill, most: number): string {
  const { name, isForeign, folder, files, body, bodyLine } = skill;
  const head = [`${isForeign ? foreignSkill : ownSkill}${name}`, `Its folder: ${folder}`];
  if (files.length > 0) head.push(`Its files: ${namesOf(files)}`);
  const lines = body.split('\n');
  const shown = fitting(lines, most - head.join('\n').length - 200 - folder.length);
  const rest =
    shown < lines.length
      ? [`${cutLine} Read on with read_file: ${folder}/SKILL.md, start_line ${String(bodyLine + shown)}.`]
      : [];
  return escapeNotes([...head, '', ...lines.slice(0, shown), ...rest].join('\n'));
}

function namesOf(files: readonly string[]): string {
  const more = files.length - maxNamedFiles;
  return `${files.slice(0, maxNamedFiles).join(', ')}${more > 0 ? `, and ${String(more)} more` : ''}`;
}

function fitting(lines: readonly string[], most: number): number {
  let left = most;
  const over = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return over === -1 ? lines.length : over;
}

/** Of what `load_skill` brought: its first line is Andiron's, whatever the skill says. */
export const isForeignSkill = (content: string): boolean => content.startsWith(foreignSkill);
/** A skill is in it, and not the words of a failure. */
export const isLoadedSkill = (content: string): boolean =>
  content.startsWith(foreignSkill) || content.startsWith(ownSkill);
