import { transcript } from '../text.ts';

const verbs: Record<string, string> = transcript.verbs;

/** "Read" for read_file; a tool that Andiron does not know is a "Call". */
export function toolVerb(tool: string): string {
  return Object.hasOwn(verbs, tool) ? (verbs[tool] ?? transcript.otherVerb) : transcript.otherVerb;
}

/** What the verb is about: a path, pattern or command; of a tool that is unknown or has none, its name. */
export function toolObject(tool: string, subject: string): string {
  // A lone dot is easily read as dirt.
  if (subject === '.') return './';
  return Object.hasOwn(verbs, tool) && subject !== '' ? subject : [tool, subject].filter(Boolean).join(' ');
}
