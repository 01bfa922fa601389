/**
 * A thread with the sandbox runtime in it, which writes command lines and profiles and starts no command. The runtime goes
 * by the folder and the environment of its process and counts what it has handed out: here all of that is its own.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { SrtAnswer, SrtQuestion, SrtReady } from './srt-thread.ts';

const { resolve } = createRequire(import.meta.url);
const about = resolve('@anthropic-ai/sandbox-runtime/package.json');
const { version } = createRequire(import.meta.url)(about) as { version: string };

/** Blocks sockets in the file system. It cannot start from within the archive of a packed app. */
const helper = (): string =>
  realpathSync(
    join(
      dirname(about).replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked'),
      'vendor',
      'seccomp',
      process.arch,
      'apply-seccomp',
    ),
  );

/** The runtime protects some names in the working folder, which is the folder of no session: nobody works here. */
process.cwd = () => '/dev';

/** A command that wants a shell gets this one, and is told by no name of its own. */
const common = { needsNetworkRestriction: true, commandId: 'andiron', binShell: '/bin/sh' };

async function wrap({ platform, command, bwrap, policy }: SrtQuestion): Promise<string> {
  const { readConfig, writeConfig } = policy;
  if (platform === 'darwin') {
    const runtime = await import('@anthropic-ai/sandbox-runtime/dist/sandbox/macos-sandbox-utils.js');
    return runtime.wrapCommandWithSandboxMacOS({ ...common, command, ...policy });
  }
  const runtime = await import('@anthropic-ai/sandbox-runtime/dist/sandbox/linux-sandbox-utils.js');
  const applyPath = helper();
  return runtime.wrapCommandWithSandboxLinux({
    ...common,
    command,
    readConfig: {
      ...readConfig,
      literalAllowWithinDeny: [...readConfig.literalAllowWithinDeny, applyPath],
    },
    writeConfig,
    bwrapPath: bwrap,
    seccompConfig: { applyPath },
    // What it would look for is beneath the working folder, where nothing is.
    ripgrepConfig: { command: 'true' },
  });
}

async function release(): Promise<void> {
  const runtime = await import('@anthropic-ai/sandbox-runtime/dist/sandbox/linux-sandbox-utils.js');
  runtime.cleanupBwrapMountPoints();
}

parentPort?.on('message', (question: SrtQuestion | 'release') => {
  if (question === 'release') {
    void release();
    return;
  }
  const answer = (outcome: { line: string } | { error: string }): void =>
    parentPort?.postMessage({ id: question.id, ...outcome } satisfies SrtAnswer);
  wrap(question).then(
    (line) => answer({ line }),
    (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }),
  );
});
parentPort?.postMessage({ version } satisfies SrtReady);
