/** Files of a session's folder, for the viewer that shows attached ones: each by its session and its id, or its path. */
import type { Attachment } from '../../protocol/attachments.ts';
import type { ResultFile } from '../../protocol/result-files.ts';

/** No id has it. */
const separator = '/';

/** null = the window cannot open it: it does not lie in the session's folder. */
export function asAttachment(sessionId: string, file: ResultFile): Attachment | null {
  const { id, name, mime, bytes, path } = file;
  if (path === null) return null;
  return { id: `${sessionId}${separator}${id}`, name, mime, bytes: bytes ?? 0, kind: kindOf(mime) };
}

/** A picture that an answer names; what it is shows when it is read. */
export function pictureInFolder(sessionId: string, path: string): Attachment {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return {
    id: `${sessionId}${separator}${separator}${path}`,
    name: name === '' ? path : name,
    mime: 'image/png',
    bytes: 0,
    kind: 'image',
  };
}

export type BroughtPlace =
  | { kind: 'result'; sessionId: string; fileId: string }
  | { kind: 'picture'; sessionId: string; path: string };

/** null = it is the id of an attached file. */
export function placeOf(id: string): BroughtPlace | null {
  const at = id.indexOf(separator);
  if (at === -1) return null;
  const [sessionId, rest] = [id.slice(0, at), id.slice(at + 1)];
  return rest.startsWith(separator)
    ? { kind: 'picture', sessionId, path: rest.slice(1) }
    : { kind: 'result', sessionId, fileId: rest };
}

/** An SVG is shown as the text that it is: as a picture it could ask for others. */
function kindOf(mime: string): Attachment['kind'] {
  if (mime.startsWith('text/') || mime === 'application/json' || mime === 'image/svg+xml') return 'text';
  return mime.startsWith('image/') ? 'image' : 'other';
}
