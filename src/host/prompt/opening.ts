/** Zone 2: workspace facts, as of the session's start, at the head of its first user message. */
import { escapeNotes } from './notes.ts';

export interface WorkspaceFacts {
  /** Real path of the folder. */
  path: string;
  /** `linux`, `darwin` or `win32`. */
  platform: string;
}

const systems: Record<string, string> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

/** What `opening` writes of a folder, at the head of a message. */
export const openingFacts =
  /^Workspace folder: .*\nSystem: .*\nPaths in tool calls are relative to the workspace folder\.\n\n/;

/** `guidance`: of skills and of the folder itself; `memory`: what is remembered of the person (J1); empty = nothing. */
export function opening(facts: WorkspaceFacts, memory = '', guidance = ''): string {
  const system = systems[facts.platform] ?? facts.platform;
  return `Workspace folder: ${escapeNotes(facts.path)}\nSystem: ${system}\nPaths in tool calls are relative to the workspace folder.\n\n${paragraph(guidance)}${paragraph(memory)}`;
}

const paragraph = (text: string): string => (text === '' ? '' : `${text}\n\n`);
