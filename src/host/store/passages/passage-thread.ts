/** Where passages are written and found: a thread of its own, so that nobody waits for it who does not ask. */
import { rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { AndironError } from '../../../protocol/errors.ts';
import { openDatabase, type Database } from '../sqlite.ts';
import type { PassageAnswer, PassageCall, PassageThreadData } from './passage-client.ts';
import {
  createPassageStore,
  passageSchemaVersion,
  passageTables,
  type PassageStore,
} from './passage-store.ts';

const { path } = workerData as PassageThreadData;
const store = createPassageStore(openIndex());

/** One that is damaged, or of another version, is made anew: whoever fills it sees that nothing is in it. */
function openIndex(): Database {
  try {
    const database = prepared(openDatabase(path));
    if (database) return database;
  } catch (error) {
    if (!(error instanceof AndironError && error.code === 'storage')) throw error;
  }
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  return prepared(openDatabase(path)) ?? unusable();
}

/** null = it is of another version. */
function prepared(database: Database): Database | null {
  const version = database.pragma('user_version');
  if (version === 0) {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
    database.transaction(() => {
      database.exec(passageTables);
      database.pragma(`user_version = ${String(passageSchemaVersion)}`);
    });
  } else if (version !== passageSchemaVersion) {
    database.close();
    return null;
  }
  // What is removed is not there any more, for whoever looks into the file either.
  database.pragma('secure_delete = ON');
  // A crash costs what was read last, and it is read again.
  database.pragma('synchronous = NORMAL');
  return database;
}

function unusable(): never {
  throw new Error('A new index is of another version.');
}

function answer({ id, call, args }: PassageCall): PassageAnswer {
  try {
    const run = store[call] as (...given: readonly unknown[]) => ReturnType<PassageStore[typeof call]>;
    return { id, ok: true, result: run(...args) };
  } catch (error) {
    const code = error instanceof AndironError ? error.code : 'internal';
    return { id, ok: false, code, message: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (call: PassageCall) => parentPort?.postMessage(answer(call)));
