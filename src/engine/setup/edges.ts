/** What setting up Ollama needs from outside besides `EngineDeps`, so that every failure can be tested. */

export interface SetupEdges {
  /** Under which each release has a folder with the name of its tag. */
  releasesUrl: string;
  /** SHA-256 of each archive of the release, by file name. What is not listed is not set up. */
  checksums: Readonly<Record<string, string>>;
  /** Without any limit of its own; redirects are followed by the caller. */
  fetch: typeof fetch;
  files: SetupFiles;
  processes: SetupProcesses;
}

export interface SetupFiles {
  /** Bytes of a file; null = there is none. */
  size(path: string): Promise<number | null>;
  makeFolder(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** With everything in it; nothing happens where nothing is. */
  remove(path: string): Promise<void>;
  /** Writes behind the first `from` bytes; what lay there is gone. */
  openSink(path: string, from: number): Promise<FileSink>;
  readChunks(path: string): AsyncIterable<Uint8Array>;
  /** Every entry below the folder, links not followed; nothing where there is no folder. */
  walk(folder: string): AsyncIterable<TreeEntry>;
  /** Bytes that may still be written there; null = unknown. */
  freeBytes(folder: string): Promise<number | null>;
  /** The last characters of a text file; empty where there is none. */
  readEnd(path: string, characters: number): Promise<string>;
  /** Keeps what a file over `limit` bytes holds in `<path>.1` and empties it, also while it is being written. */
  capLog(path: string, limit: number): Promise<void>;
}

interface FileSink {
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves when everything is on the disk. */
  close(): Promise<void>;
}

export interface TreeEntry {
  path: string;
  kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes; 0 for everything but files. */
  size: number;
  /** False only for links that lead out of the folder in the end, or nowhere. */
  staysInside: boolean;
}

export interface ToolRequest {
  command: string;
  args: readonly string[];
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  /** For its standard input; null = none. When reading it fails, the tool is ended and the call rejects with that. */
  input: AsyncIterable<Uint8Array> | null;
  signal: AbortSignal;
}

export interface ServeRequest {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Its output is appended here by itself, so that it can outlive Andiron. */
  logFile: string;
}

export interface Served {
  pid: number;
  /** Never rejects. null = ended by a signal. */
  exited: Promise<number | null>;
}

interface SetupProcesses {
  /** Resolves with stdout when it ended with 0; rejects with what it said otherwise. */
  run(request: ToolRequest): Promise<string>;
  /** In a group of its own. Rejects when it cannot be started. */
  serve(request: ServeRequest): Promise<Served>;
  /** Asks the group to end, or makes it. Nothing happens when it is gone. */
  end(pid: number, force: boolean): void;
  isAlive(pid: number): boolean;
  /** Tells a living process from a later one with the same id; may take a second. null = none, or the platform does not say. */
  identity(pid: number): string | null;
  /** The same of a process that was started in this very moment, at once. */
  identityOfNew(pid: number): string | null;
  /** A port of 127.0.0.1 on which nobody listens: the wanted one where it is free. */
  freePort(wanted: number | null): Promise<number>;
}
