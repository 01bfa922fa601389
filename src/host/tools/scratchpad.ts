import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import { ToolFailure, type Tool, type ToolResult } from './tool.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';

const maxSections = 20;
const maxSectionLength = 4000;
const maxNameLength = 60;
const unnamed = 'notes';

const parameters = z.object({
  action: z.enum(['write', 'append', 'read', 'clear', 'list']),
  section: z.string().optional(),
  text: z.string().optional(),
});

const actionWords = {
  set: 'write',
  save: 'write',
  create: 'write',
  add: 'append',
  get: 'read',
  show: 'read',
  view: 'read',
  delete: 'clear',
  remove: 'clear',
};

const argumentNames = { name: 'section', title: 'section', key: 'section', content: 'text', value: 'text' };

/** Notes of a session in named sections: 20 of 4,000 characters. What does not fit is refused whole, so nothing is lost. */
export function scratchpadTool(): Tool {
  return defineTool({
    name: 'scratchpad',
    description: 'Notes for yourself, in sections.',
    parameters,
    otherWords: { names: argumentNames, actions: actionWords },
    mutates: false,
    retrySafe: false,
    risk: 'read',
    about: 'agent',
    timeoutMs: 10_000,
    subject: ({ action, section }) => (section === undefined ? action : `${action} ${section}`),
    need: () => ({
      summary: 'Use the scratchpad',
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    async execute({ action, section, text }, { data }) {
      const sections = new Map(Object.entries(data.readScratchpad()));
      if (action === 'list') return shown(listed(sections));
      const name = nameOf(action, section, sections);
      const before = sections.get(name);
      if (action === 'read' || action === 'clear') {
        if (before === undefined) throw new ToolFailure(`There is no section ${name}. ${listed(sections)}`);
        if (action === 'read') return shown(before);
        sections.delete(name);
        data.writeScratchpad(Object.fromEntries(sections));
        return shown(`Cleared ${name}.`);
      }
      const after = joined(action === 'append' ? before : undefined, text);
      checkRoom(sections, name, after);
      sections.set(name, after);
      data.writeScratchpad(Object.fromEntries(sections));
      return shown(`${name} has ${String(after.length)} characters.`);
    },
  });
}

/** One line, so that a list of names can be read. Only what takes nothing away may go without a name. */
function nameOf(action: string, section: string | undefined, sections: ReadonlyMap<string, string>): string {
  const name = visibleName((section ?? '').trim()).slice(0, maxNameLength);
  if (name !== '') return name;
  const [only] = sections.keys();
  if (action === 'read' && only !== undefined && sections.size === 1) return only;
  if (action === 'append' || (action === 'write' && !sections.has(unnamed))) return unnamed;
  throw new ToolFailure(`Name the section. ${listed(sections)}`);
}

function joined(before: string | undefined, text: string | undefined): string {
  if (text === undefined || text.trim() === '') throw new ToolFailure('There is no text to keep.');
  return before === undefined ? text : `${before}\n${text}`;
}

function checkRoom(sections: ReadonlyMap<string, string>, name: string, text: string): void {
  if (text.length > maxSectionLength) {
    throw new ToolFailure(
      `${name} is as it was: it would have ${String(text.length)} characters, ${String(maxSectionLength)} is the most.`,
      { advice: 'Write less, or use another section.' },
    );
  }
  if (sections.size >= maxSections && !sections.has(name)) {
    throw new ToolFailure(`There are ${String(maxSections)} sections already.`, {
      advice: `Clear one, or write to one of these: ${[...sections.keys()].join(', ')}`,
    });
  }
}

function listed(sections: ReadonlyMap<string, string>): string {
  if (sections.size === 0) return 'The scratchpad is empty.';
  return [...sections].map(([name, text]) => `${name} (${String(text.length)} characters)`).join('\n');
}

const shown = (content: string): ToolResult => ({ ok: true, content, display: null });
