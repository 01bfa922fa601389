/**
 * Which commands run for a host, on disk beside its data: when it dies, whoever is left ends what it left behind. One
 * file per command, named by the process id that leads its group; in it that process's identity and the mark.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endGroupNow, endMarkedNow } from './command-tree.ts';
import { makePrivateFolder, privateFileMode } from './private-data.ts';
import { isSameProcess, machineProcesses, momentOf, type ProcessTable } from './process-table.ts';
import type { GroupJournal } from './processes.ts';

const folderOf = (dataDir: string): string => join(dataDir, 'commands');

export function createGroupJournal(
  dataDir: string,
  processes: Pick<ProcessTable, 'identityOfNew'> = machineProcesses,
): GroupJournal {
  const folder = folderOf(dataDir);
  makePrivateFolder(folder);
  const fileOf = (pid: number): string => join(folder, String(pid));
  return {
    begun(pid, mark) {
      try {
        writeFileSync(fileOf(pid), `${processes.identityOfNew(pid) ?? ''}\n${mark}`, {
          mode: privateFileMode,
        });
      } catch (error) {
        rmSync(fileOf(pid), { force: true });
        throw error;
      }
    },
    ended: (pid) => rmSync(fileOf(pid), { force: true }),
  };
}

/** By force and without asking. */
export interface Endings {
  group: (leader: number, since: number | null) => void;
  /** Everything that carries the mark, also out of its group. */
  marked: (mark: string) => void;
}

/**
 * Ends the commands of a host that is dead, at once and without asking; returns the leaders of groups that were ended.
 *
 * `sure`: it died just now, so no process id of its time was given to another. Otherwise only groups whose leader is
 * still the recorded process are ended. A mark is one command's alone, so what carries it is ended in any case.
 */
export function endLeftGroups(
  dataDir: string,
  sure: boolean,
  processes: Pick<ProcessTable, 'identity'> = machineProcesses,
  end: Endings = { group: endGroupNow, marked: endMarkedNow },
): number[] {
  const folder = folderOf(dataDir);
  const ended: number[] = [];
  for (const name of filesIn(folder)) {
    const pid = Number(name);
    const path = join(folder, name);
    const [recorded = '', mark = ''] = readFileSync(path, 'utf8').split('\n');
    const found = processes.identity(pid);
    // A leader that is gone says nothing about the rest of its group.
    const isOurs = recorded === '' || found === null ? sure : isSameProcess(recorded, found);
    if (isOurs && Number.isSafeInteger(pid) && pid > 1) {
      end.group(pid, momentOf(recorded));
      ended.push(pid);
    }
    if (/^\d+$/.test(mark)) end.marked(mark);
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
