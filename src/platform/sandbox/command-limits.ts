/** Limits what a command may take from the machine. The shell that becomes the command sets them; children inherit. Pure. */

export interface CommandLimits {
  /** Of one file that is written; null = as large as the disk lets it be. */
  fileBytes: number | null;
  /** Processes and threads at once; null where those of all programs of the person would be counted. */
  processes: number | null;
}

/** POSIX counts files in these. */
const blockBytes = 512;

/**
 * `$1` blocks, `$2` processes, '' = no limit; then the command. The first line: where memory runs out, Linux ends the command
 * before Andiron, the model and whatever else the person has open. Shells call the limit of processes -u or -p.
 */
const script = `
{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
[ -z "$1" ] || ulimit -f "$1"
[ -z "$2" ] || ulimit -u "$2" 2>/dev/null || ulimit -p "$2"
shift 2
exec "$@"
`;

export function limited(
  { file, args }: { file: string; args: readonly string[] },
  { fileBytes, processes }: CommandLimits,
): { file: string; args: string[] } {
  const blocks = fileBytes === null ? '' : String(Math.ceil(fileBytes / blockBytes));
  return {
    file: '/bin/sh',
    args: ['-c', script, 'sh', blocks, processes === null ? '' : String(processes), file, ...args],
  };
}
