/** What a file was, by its fingerprint: beside the record, where tools wrote, or in a file of its own. */
import { readState } from '../store/entry-state.ts';
import type { Store } from '../store/store.ts';
import type { KeptContents } from './points/kept-contents.ts';

interface ContentReaderDeps {
  store: Pick<Store, 'fileContent'>;
  contents: Pick<KeptContents, 'read'>;
}

/** Returns what reads it; that gives null for what is no file, or was not kept. */
export function contentReader({ store, contents }: ContentReaderDeps) {
  return async (sessionId: string, state: string | null): Promise<Uint8Array | null> => {
    const read = readState(state);
    if (read.kind !== 'file') return null;
    return store.fileContent(sessionId, read.hash) ?? (await contents.read(read.hash));
  };
}
