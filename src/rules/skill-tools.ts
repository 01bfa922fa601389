/** `allowed-tools` of a skill. It grants nothing: a change by any other tool asks, whatever was allowed before. */

/** As other clients call them. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  Bash: ['run_command'],
  Write: ['write_file', 'create_document'],
  Edit: ['edit_file'],
  MultiEdit: ['edit_file'],
};

/** @param command of `run_command`; null = it is another tool, or has none */
export function isListedTool(entries: readonly string[], tool: string, command: string | null): boolean {
  return entries.some((entry) => {
    const [, name = '', pattern] = /^([\w.-]+)(?:\((.*)\))?$/.exec(entry) ?? [];
    const isNamed = name === tool || (Object.hasOwn(otherNames, name) && otherNames[name]?.includes(tool));
    if (isNamed !== true) return false;
    return (
      pattern === undefined || pattern === '*' || (command !== null && isCovered(command.trim(), pattern))
    );
  });
}

/** `git:*` and `git *` are any command that begins with this word; a shell could make two of one with other signs. */
function isCovered(command: string, pattern: string): boolean {
  if (/[;&|<>`$()\\\n\r]/.test(command)) return false;
  const [, start] = /^(.*?)(?::| )\*$/.exec(pattern) ?? [];
  if (start === undefined) return command === pattern;
  return command === start || command.startsWith(`${start} `);
}
