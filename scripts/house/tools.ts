/** Figures that other programs work out: the linter and knip. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf, root } from '../node.mjs';

/** What a program prints; all of these exit with 1 when they find something. */
function output(args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else if (stdout === '') reject(new Error(`${args[0]} printed nothing: ${stderr}`));
      else resolve(stdout);
    });
  });
}

/** Functions or files above so many lines, blank ones and comments not counted. */
export async function overlong(rule: string, max: number, files: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'andiron-house-'));
  try {
    const config = join(folder, 'oxlintrc.json');
    const rules = { [rule]: ['error', { max, skipComments: true, skipBlankLines: true }] };
    writeFileSync(config, JSON.stringify({ plugins: [], categories: { correctness: 'off' }, rules }));
    const report = await output([commandOf('oxlint'), '--config', config, '--format', 'json', ...files]);
    const { diagnostics }: { diagnostics: { filename: string; message: string }[] } = JSON.parse(report);
    return diagnostics.map(({ filename, message }) => `${filename}: ${message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Unused {
  file: string;
  exports?: { name: string }[];
  types?: { name: string }[];
  files?: { name: string }[];
}

/** Exports and files that nothing else uses, tests included. */
export async function unusedExports(): Promise<string[]> {
  const include = 'exports,types,files';
  const report = await output([commandOf('knip'), '--include', include, '--reporter', 'json']);
  const { issues }: { issues: Unused[] } = JSON.parse(report);
  return issues.flatMap(({ file, exports = [], types = [], files = [] }) =>
    [...exports, ...types, ...files].map(({ name }) => `${file}: ${name}`),
  );
}
