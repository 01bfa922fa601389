/** Which processes on the GPU are Ollama's: its runners, and older servers that run models themselves. */
import { programOf, type EngineProcess, type ProcessLister } from '../runner-status/ollama-processes.ts';

interface GpuProcess {
  pid: number;
  /** Path or name of its program. */
  program: string;
}

/** By pid. Never rejects: where the processes cannot be listed, the program's name decides. */
export type ModelProcesses = (processes: readonly GpuProcess[]) => Promise<ReadonlyMap<number, boolean>>;

/** The list of processes is read only when a new one appeared on the GPU. */
export function createModelProcesses(list: ProcessLister): ModelProcesses {
  let known = new Map<number, { program: string; isOllama: boolean }>();

  return async (processes) => {
    const isNew = ({ pid, program }: GpuProcess): boolean => known.get(pid)?.program !== program;
    const table = processes.some(isNew) ? await list().catch(() => []) : [];
    known = new Map(
      processes.map((process) => {
        const before = isNew(process) ? undefined : known.get(process.pid);
        const isOllama = before?.isOllama ?? isOllamas(process, table);
        return [process.pid, { program: process.program, isOllama }];
      }),
    );
    return new Map([...known].map(([pid, { isOllama }]) => [pid, isOllama]));
  };
}

function isOllamas(process: GpuProcess, table: readonly EngineProcess[]): boolean {
  const entry = table.find(({ pid }) => pid === process.pid);
  if (!entry) return programOf(process.program) !== null;
  // Whoever started llama-server by hand has another program than ours.
  return (
    entry.program === 'ollama' ||
    table.some(({ pid, program }) => pid === entry.parent && program === 'ollama')
  );
}
