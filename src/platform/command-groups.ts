/**
 * Which process groups run for a host, on disk beside its data: when it dies, whoever is left ends what it left behind
 * (design 6). One file per group, named by its leader's process id.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machineProcesses, type ProcessTable } from './data-lock.ts';
import { endTreeNow, type GroupJournal } from './processes.ts';

const folderOf = (dataDir: string): string => join(dataDir, 'commands');

export function createGroupJournal(
  dataDir: string,
  processes: ProcessTable = machineProcesses,
): GroupJournal {
  const folder = folderOf(dataDir);
  mkdirSync(folder, { recursive: true });
  const fileOf = (pid: number): string => join(folder, String(pid));
  return {
    begun: (pid) => writeFileSync(fileOf(pid), processes.identity(pid) ?? ''),
    ended: (pid) => rmSync(fileOf(pid), { force: true }),
  };
}

/**
 * Ends the groups of a host that is dead, at once and without asking; returns their leaders.
 *
 * `sure`: it died just now, so no process id of its time was given to another. Otherwise only groups whose leader is
 * still the recorded process are ended.
 */
export function endLeftGroups(
  dataDir: string,
  sure: boolean,
  processes: ProcessTable = machineProcesses,
  end: (pid: number) => void = endTreeNow,
): number[] {
  const folder = folderOf(dataDir);
  const ended: number[] = [];
  for (const name of filesIn(folder)) {
    const pid = Number(name);
    const path = join(folder, name);
    const recorded = readFileSync(path, 'utf8');
    const found = processes.identity(pid);
    // A leader that is gone says nothing about the rest of its group.
    const isOurs = recorded === '' || found === null ? sure : found === recorded;
    if (isOurs && Number.isSafeInteger(pid) && pid > 1) {
      end(pid);
      ended.push(pid);
    }
    rmSync(path, { force: true });
  }
  return ended;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // No command was ever run here.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
