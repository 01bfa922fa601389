#!/usr/bin/env node
/** `andiron`: the command line of a source checkout, on the pinned Node and from what `npm run build` made. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodePath, root } from './node.mjs';

const entry = join(root, 'out', 'main', 'cli.js');

if (!existsSync(entry)) {
  console.error(`Andiron is not built yet. Run "npm run build" in ${root}.`);
  process.exit(2);
}
const node = nodePath();
const args = [node, entry, ...process.argv.slice(2)];
if (node === process.execPath) {
  process.argv = args;
  await import(pathToFileURL(entry).href);
} else if (process.execve) process.execve(node, args);
else {
  // Both get the terminal's Ctrl-C; the child decides.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const child = spawn(node, args.slice(1), { stdio: 'inherit' });
  child.on('exit', (code) => process.exit(code ?? 3));
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(2);
  });
}
