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

/**
 * In a sandbox: temporary files go where there are some, and the system's own messages are those that `refusalIn` knows.
 * Programs that look for a newer version of themselves would ask the person for a host that the command does not need.
 */
export const keptEnvironment = {
  TMPDIR: '/tmp',
  TMP: '/tmp',
  TEMP: '/tmp',
  LC_MESSAGES: 'C',
  LANGUAGE: 'en',
  npm_config_update_notifier: 'false',
  NO_UPDATE_NOTIFIER: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  DENO_NO_UPDATE_CHECK: '1',
  DO_NOT_TRACK: '1',
};

/**
 * What comes out of a command is read as UTF-8, which Python does not write into a pipe on Windows unless it is told to. And
 * a bare name is looked for in the PATH alone there: a repository must not bring its own `git.exe` along.
 */
const addedOnWindows = { PYTHONUTF8: '1', NoDefaultCurrentDirectoryInExePath: '1' };

export function commandEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  platform: string = process.platform,
): Record<string, string> {
  return { ...inheritedEnvironment(own), ...added, ...(platform === 'win32' && addedOnWindows) };
}
