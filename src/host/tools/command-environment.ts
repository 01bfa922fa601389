/** What a command has in its environment: what it inherits, and that nobody sits at its terminal (W6). */
import { inheritedEnvironment } from '../../platform/inherited-environment.ts';

/** No colours, no pagers and no questions: nobody sits at this terminal. */
const added = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
};

export function commandEnvironment(
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return { ...inheritedEnvironment(own), ...added };
}
