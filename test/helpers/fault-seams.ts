/** The edges of the host with something before each step of theirs: it may throw, and the step has failed. */
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import type { OpenDatabase } from '../../src/host/store/store.ts';
import { openDatabase, type Database } from '../../src/host/store/sqlite.ts';
import type { Files } from '../../src/platform/files.ts';
import type { Processes } from '../../src/platform/processes.ts';

/** Every statement that writes, every commit, and the opening itself. */
export function guardDatabase(before: (what: string) => void): OpenDatabase {
  return (path) => {
    before('open');
    const database = openDatabase(path);
    let depth = 0;
    const guarded: Database = {
      ...database,
      command(sql) {
        const command = database.command(sql);
        return {
          run(...params) {
            before(sql);
            return command.run(...params);
          },
        };
      },
      exec(sql) {
        before(sql);
        database.exec(sql);
      },
      transaction: (run) =>
        database.transaction(() => {
          depth += 1;
          try {
            const result = run();
            if (depth === 1) before('COMMIT');
            return result;
          } finally {
            depth -= 1;
          }
        }),
    };
    return guarded;
  };
}

export function guardFiles(files: Files, before: (what: string) => void | Promise<void>): Files {
  return {
    async stat(path) {
      await before('stat');
      return files.stat(path);
    },
    async lstat(path) {
      await before('lstat');
      return files.lstat(path);
    },
    async realPath(path) {
      await before('realPath');
      return files.realPath(path);
    },
    async readFolder(path) {
      await before('readFolder');
      return files.readFolder(path);
    },
    async readRealFolder(path) {
      await before('readFolder');
      return files.readRealFolder(path);
    },
    async readBytes(path, limit) {
      await before('readBytes');
      return files.readBytes(path, limit);
    },
    async *readChunks(path, buffer) {
      for await (const chunk of files.readChunks(path, buffer)) {
        await before('readChunks');
        yield chunk;
      }
    },
    async writeAtomic(path, content, options) {
      await before('writeAtomic');
      return files.writeAtomic(path, content, options);
    },
    async createFile(path) {
      await before('createFile');
      const file = await files.createFile(path);
      return {
        async append(bytes) {
          await before('append');
          return file.append(bytes);
        },
        close: () => file.close(),
      };
    },
    async makeFolder(path) {
      await before('makeFolder');
      return files.makeFolder(path);
    },
    async move(from, to) {
      await before('move');
      return files.move(from, to);
    },
    async remove(path) {
      await before('remove');
      return files.remove(path);
    },
    async removeFolder(path) {
      await before('removeFolder');
      return files.removeFolder(path);
    },
    watch: (path, onChange, onError) => files.watch(path, onChange, onError),
  };
}

export function guardProcesses(processes: Processes, before: () => void | Promise<void>): Processes {
  return {
    environment: processes.environment,
    async run(request) {
      await before();
      return processes.run(request);
    },
  };
}

/** Stands between the house and an engine, and sees every piece of an answer on its way. */
export interface Proxy {
  url: string;
  /** Breaks every connection at once, and lets nobody in any more. */
  close(): Promise<void>;
}

/** A `before` that throws breaks the connection in place of that piece. */
export async function startProxy(target: string, before: () => void = () => undefined): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const engine = createConnection({ host: hostname, port: Number(port) });
    clients.add(client);
    client.on('data', (piece) => engine.write(piece));
    engine.on('data', (piece) => {
      try {
        before();
        client.write(piece);
      } catch {
        // The fault itself: what was asked for by whoever handed in `before`.
        client.resetAndDestroy();
      }
    });
    // A close by either side is one for both; a broken connection tells nothing more than that.
    client.on('error', () => engine.destroy());
    engine.on('error', () => client.destroy());
    engine.on('end', () => client.end());
    client.on('close', () => {
      engine.destroy();
      clients.delete(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    async close() {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
