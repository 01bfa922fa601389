import type { ToolName } from '../../protocol/model.ts';
import { tools, transcript } from '../text.ts';

interface ToolWords {
  verb: string;
  help: string;
  missing?: string;
}

/** Each tool has its words in this language, or this does not compile. */
const known: Readonly<Record<ToolName, ToolWords>> = tools;
const texts: Readonly<Record<string, ToolWords>> = known;

/** undefined = a tool that Andiron does not come with: of an imported conversation, or made up by a model. */
export const textOf = (tool: string) => (Object.hasOwn(texts, tool) ? texts[tool] : undefined);

/** "Read" for read_file; a tool that Andiron does not know is a "Call". */
export const toolVerb = (tool: string): string => textOf(tool)?.verb ?? transcript.otherVerb;

/** What the verb is about: a path, pattern or command; of a tool that is unknown or has none, its name. */
export function toolObject(tool: string, subject: string): string {
  // A lone dot is easily read as dirt.
  if (subject === '.') return './';
  return textOf(tool) && subject !== '' ? subject : [tool, subject].filter(Boolean).join(' ');
}
