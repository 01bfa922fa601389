/** The host's side of uploads, played by a test. */
import type { FakeServer } from './fake-server.ts';
import { aSession } from './fixtures.ts';

interface Import {
  /** Ids. */
  sessions: string[];
  notices?: string[];
  failed?: { message: string; advice: string };
}

/** Answers imports with `answer`. Returns the texts of the files that came, as they come. */
export function takeImports(host: FakeServer, answer: (content: string) => Import | Error): string[] {
  const imported: string[] = [];
  let open: Uint8Array[] = [];
  host.answer('upload/begin', () => {
    open = [];
    return { uploadId: 'upl_1' };
  });
  host.answer('upload/add', ({ data }: { data: string }) => {
    open.push(Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0)));
    return {};
  });
  host.answer('upload/cancel', () => ({}));
  host.answer('session/import-upload', () => {
    const bytes = new Uint8Array(open.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of open) {
      bytes.set(piece, at);
      at += piece.length;
    }
    const content = new TextDecoder().decode(bytes);
    imported.push(content);
    const result = answer(content);
    if (result instanceof Error) return result;
    const { sessions, notices = [], failed = null } = result;
    return { sessions: sessions.map((id) => aSession({ id })), notices, failed };
  });
  return imported;
}
