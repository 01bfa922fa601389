/**
 * Secrets leave the environment of Andiron's own process before anything else starts: any process of the same user can
 * read what a process was started with, and Andiron stands above every command. On Linux and macOS the process starts
 * over without them, under the same id, and gets them through a pipe.
 */
import { readFileSync } from 'node:fs';

/** Says that what was held back can be read from descriptor 3, as JSON. */
const handedVariable = 'ANDIRON_HANDED';

const looksSecret = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH(?!ORITY|_SOCK)/i;

/**
 * The environment that the person gave. May not return: then the same program starts over with a clean one.
 *
 * @param alsoSecret of a variable that only its use makes a secret
 */
export function startClean(alsoSecret: (name: string) => boolean): Record<string, string> {
  const given = withoutAbsent(process.env);
  if (given[handedVariable] !== undefined) return takeOver(given);
  const secret = Object.entries(given).filter(([name]) => looksSecret.test(name) || alsoSecret(name));
  // A channel to whoever started it would be lost.
  if (secret.length === 0 || process.execve === undefined || process.channel) return given;
  const held = new Set(secret.map(([name]) => name));
  const clean = Object.fromEntries(Object.entries(given).filter(([name]) => !held.has(name)));
  const handed = encode(Object.fromEntries(secret));
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  return process.execve('/bin/sh', ['sh', '-c', handOver, 'sh', ...again], {
    ...clean,
    [handedVariable]: handed,
  });
}

const handOver = `exec 3<<END
$${handedVariable}
END
${handedVariable}=1; exec "$@"`;

function takeOver(given: Record<string, string>): Record<string, string> {
  // What is started from here must not look for a pipe of its own.
  delete process.env[handedVariable];
  const handed = Buffer.from(readFileSync(3, 'latin1'), 'base64').toString();
  const { [handedVariable]: _said, ...own } = given;
  return { ...own, ...(JSON.parse(handed) as Record<string, string>) };
}

const encode = (secrets: Record<string, string>): string =>
  Buffer.from(JSON.stringify(secrets)).toString('base64');

/** For a child that starts clean as well: what it inherits, and what is to be written to its descriptor 3. */
export function handOn(given: Record<string, string>): { env: Record<string, string>; handed: string } {
  const own = withoutAbsent(process.env);
  const held = Object.fromEntries(Object.entries(given).filter(([name]) => !(name in own)));
  return { env: { ...own, [handedVariable]: '1' }, handed: encode(held) };
}

export const hostsFileName = 'hosts.json';

/** Whether the file names it; a file that cannot be read names none. */
export function namedIn(path: string): (name: string) => boolean {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // There mostly is none.
  }
  return (name) => text.includes(`"${name}"`);
}

export function withoutAbsent(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
