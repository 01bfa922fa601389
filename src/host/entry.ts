/** Where the agent host's process begins: a utility process of the app, or a forked child of the headless server. */
import { freemem } from 'node:os';
import { join } from 'node:path';
import { showArchivesAsFiles } from '../platform/archives.ts';
import { randomId, systemClock } from '../platform/clock.ts';
import { createGroupJournal, endLeftGroups } from '../platform/command-groups.ts';
import { lockDataDir, type DataLock } from '../platform/data-lock.ts';
import { freeBytes } from '../platform/disk-space.ts';
import { yieldToOthers } from '../platform/event-loop.ts';
import { systemFiles } from '../platform/files.ts';
import { acceptConnections } from '../platform/host-channel.ts';
import type { ChildSide } from '../platform/parent-channel.ts';
import { listenLocally, type LocalSocket } from '../platform/local-socket.ts';
import { openLogFile } from '../platform/log-file.ts';
import { createLog, type Log } from '../platform/log.ts';
import { withoutKeys } from '../rules/key-formats.ts';
import { createProcesses } from '../platform/processes.ts';
import { openKnownSandbox, type KnownSandbox } from '../platform/sandbox/known-sandbox.ts';
import { trustSystemCertificates } from '../platform/system-certificates.ts';
import { becomePrivate } from '../platform/umask.ts';
import { maxConnections, maxFrameBytes, maxSignInBytes, maxSignInMs } from '../protocol/limits.ts';
import { findRipgrep } from './find-ripgrep.ts';
import { createHost, type Host } from './index.ts';
import { describeSelf } from './self.ts';

/** From being ready until a sandbox that the last start knew is tried out, unless a command wants it sooner. */
const trialAfterMs = 1_000;

function main(side: ChildSide): void {
  becomePrivate();
  let host: Host | undefined;
  let lock: DataLock | undefined;
  let socket: Promise<LocalSocket | undefined> | undefined;
  let sandbox: KnownSandbox | undefined;

  const link = acceptConnections(
    {
      async onInit(
        { dataDir, workspace, resourcesDir, env = {}, searchPath, umask, isBrief, nodePath },
        keychain,
      ) {
        lock = lockDataDir(dataDir);
        link.reportBlocked(true);
        await yieldToOthers();
        // Where supervisor and host died together, nobody ended what the host left running.
        endLeftGroups(dataDir, false);
        const log = createLog(
          openLogFile(join(dataDir, 'logs', 'host.log')),
          () => systemClock.now(),
          withoutKeys,
        );
        // A packed app has no terminal: what ends this process is said in the log, or nowhere.
        process.on('uncaughtExceptionMonitor', (error) => log.error('The agent host ends', error));
        const ripgrepPath = await findRipgrep();
        if (ripgrepPath === null) log.warn('there is no search program in this installation');
        const processes = createProcesses(systemClock, createGroupJournal(dataDir), umask);
        const { platform } = process;
        // The same way up from the source and from what was built of it.
        const self = describeSelf(new URL('../../package.json', import.meta.url), searchPath);
        const known = openKnownSandbox({
          platform,
          processes,
          files: systemFiles,
          dataDir,
          homeDir: self.homeDir,
          worker: new URL('sandbox-worker.js', import.meta.url),
          log,
        });
        sandbox = known;
        const starting = createHost({
          dataDir,
          workspace,
          resourcesDir,
          files: systemFiles,
          processes,
          umask,
          ripgrepPath,
          platform,
          sandbox: known.sandbox,
          clock: systemClock,
          newId: randomId,
          env,
          keychain,
          freeBytes,
          freeMemory: freemem,
          trustSystem: () =>
            trustSystemCertificates((error) =>
              log.error('the certificates of the system cannot be read', error),
            ),
          self,
          isBrief,
          nodePath,
          pageReader: new URL('page-reader.js', import.meta.url),
          documentReader: new URL('document-reader.js', import.meta.url),
          documentWriter: new URL('document-writer.js', import.meta.url),
          searchWorker: new URL('search-worker.js', import.meta.url),
          passageWorker: new URL('passage-thread.js', import.meta.url),
          log,
          onWanted: (wanted) => link.wantBridges(wanted),
          onActivity: (runningTurns) => link.reportActivity(runningTurns),
          onBlocked: (isBlocked) => link.reportBlocked(isBlocked),
        });
        starting.catch((error: unknown) => log.error('The agent host cannot start', error));
        host = await starting;
        // Store and version have been read, and no tool has run yet.
        showArchivesAsFiles();
        // What the window asks first comes before it.
        systemClock.after(trialAfterMs, () => void known.prove());
        // Nobody waits for it: a window needs none.
        socket = openSocket(dataDir, { host, log, onCount: (count) => link.reportClients(count) });
      },
      onWindow: (pipe) => host?.connectWindow(pipe),
      onBridge: (pipe, platform) => host?.connectBridge(pipe, platform),
      onBridgeState: (id, state) => host?.wayChanged(id, state),
      onEngine: (pipe) => host?.connectEngine(pipe),
      onStay: () => host?.stay(),
      // A stream that sleep has cut ends as an interruption by itself, and is asked again.
      onPower: () => undefined,
      async onStop() {
        await host?.close();
        await sandbox?.close();
        // Before the next host may have the folder.
        await (await socket)?.close();
        lock?.release();
      },
    },
    side,
  );
}

interface SocketUse {
  host: Host;
  log: Log;
  onCount: (clients: number) => void;
}

/** Never rejects: undefined = there is none, and the log says why. */
async function openSocket(
  dataDir: string,
  { host, log, onCount }: SocketUse,
): Promise<LocalSocket | undefined> {
  try {
    return await listenLocally({
      dataDir,
      limits: {
        frameBytes: maxFrameBytes,
        signInBytes: maxSignInBytes,
        signInMs: maxSignInMs,
        connections: maxConnections,
      },
      onConnection: (pipe) => host.connectProgram(pipe),
      onCount,
    });
  } catch (error) {
    log.warn('other programs cannot reach this host', { error: String(error) });
    return undefined;
  }
}

// A utility process would only warn and go on, half broken; under Node it is the end, and the next host recovers.
process.on('unhandledRejection', (reason) => {
  throw reason instanceof Error ? reason : new Error(String(reason));
});
main(process);
