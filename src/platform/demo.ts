/** The demo: a simulated engine in a process of its own, and a copy of the sample workspace to work in. */
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { demoWorkspace, firstTasks } from './own-workspaces.ts';

/** What is used of a started child process. */
export interface SimProcess {
  stdout: NodeJS.ReadableStream;
  onExit(listener: (code: number | null) => void): void;
}

export interface SimAddress {
  url: string;
  /** Reports where the runner of a model is and what the GPU does; null = it does not say. */
  runnersUrl: string | null;
}

/** The simulated engine's first line is `{"ready":true,"url":"http://…"}`. Rejects when it ends before that. */
export function simAddress(sim: SimProcess): Promise<SimAddress> {
  return new Promise((resolve, reject) => {
    sim.onExit((code) => reject(new Error(`The simulated engine ended at once (code ${String(code)}).`)));
    createInterface({ input: sim.stdout }).once('line', (line) => {
      const address = readAddress(line);
      if (address) resolve(address);
      else reject(new Error(`The simulated engine said something unexpected: ${line}`));
    });
    // Whatever it prints later must not fill the pipe.
    sim.stdout.resume();
  });
}

function readAddress(line: string): SimAddress | null {
  try {
    const { ready, url, runnersUrl } = JSON.parse(line) as Record<string, unknown>;
    if (ready !== true || typeof url !== 'string') return null;
    return { url, runnersUrl: typeof runnersUrl === 'string' ? runnersUrl : null };
  } catch {
    return null;
  }
}

/**
 * Copies what is missing of the sample workspace; what the person or the agent changed there stays.
 * File by file, because the source may lie inside an asar. Returns the copy's folder.
 */
export async function copyDemoWorkspace(resourcesDir: string, dataDir: string): Promise<string> {
  const copy = join(dataDir, demoWorkspace);
  await copyMissing(join(resourcesDir, 'demo-workspace'), copy);
  return copy;
}

/** A fresh copy for a first task, beside those of earlier ones: nobody's work is in the way of it. */
export async function copySampleWorkspace(resourcesDir: string, dataDir: string): Promise<string> {
  const folder = join(dataDir, firstTasks);
  await mkdir(folder, { recursive: true });
  for (let number = 1; ; number += 1) {
    const copy = join(folder, number === 1 ? 'bookbox' : `bookbox-${String(number)}`);
    try {
      await mkdir(copy);
    } catch (error) {
      unlessThere(error as NodeJS.ErrnoException);
      continue;
    }
    await copyMissing(join(resourcesDir, 'demo-workspace'), copy);
    return copy;
  }
}

async function copyMissing(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyMissing(source, target);
    else await copyUnlessThere(source, target);
  }
}

async function copyUnlessThere(source: string, target: string): Promise<void> {
  const content = await readFile(source);
  const file = await open(target, 'wx').catch(unlessThere);
  if (!file) return;
  try {
    await file.writeFile(content);
  } catch (error) {
    // Half of it would be taken for the person's own from then on.
    await rm(target, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
