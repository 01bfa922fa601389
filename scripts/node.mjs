/** The Node that everything runs under: the pinned one, whatever started the script. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const packages = join(root, 'node_modules');

/** better-sqlite3 ends an older Node without a word. */
const oldestMajor = 22;

/** Absolute path of a Node that is new enough; throws in words when there is none. */
export function nodePath() {
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const os = process.platform === 'win32' ? 'win' : process.platform;
  const pinned = [`node-${os}-${process.arch}`, `node-bin-${os}-${process.arch}`]
    .map((name) => join(packages, name, 'bin', program))
    .find((path) => existsSync(path));
  if (pinned) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= oldestMajor) return process.execPath;
  throw new Error(
    `Andiron needs Node ${oldestMajor} or newer here, and this is ${process.version}. Run npm ci first.`,
  );
}

/** The script behind a package's command, to be run with `nodePath()`: no shell, no .cmd files. */
export function commandOf(packageName, command = packageName) {
  const manifest = join(packages, packageName, 'package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[command]);
}

/**
 * Runs a script with its output on ours. Resolves with its exit code; a signal counts as 1.
 * @param onSpawn is given the child, so that what it writes to a pipe can be read
 */
export function run(args, { onSpawn, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(nodePath(), args, {
      cwd: root,
      stdio: 'inherit',
      ...options,
      env: { ...process.env, ...options.env, PATH: pathWithPinnedNode() },
    });
    onSpawn?.(child);
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Children of children say `node` too. */
function pathWithPinnedNode() {
  const separator = process.platform === 'win32' ? ';' : ':';
  return [join(packages, '.bin'), dirname(nodePath()), process.env.PATH ?? ''].join(separator);
}
