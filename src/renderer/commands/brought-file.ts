/** Files that tools brought out, for the viewer that shows attached ones: each by its session and its id. */
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

/** null = it is the id of an attached file. */
export function placeOf(id: string): { sessionId: string; fileId: string } | null {
  const at = id.indexOf(separator);
  return at === -1 ? null : { sessionId: id.slice(0, at), fileId: id.slice(at + 1) };
}

/** An SVG is shown as the text that it is: as a picture it could ask for others. */
function kindOf(mime: string): Attachment['kind'] {
  if (mime.startsWith('text/') || mime === 'application/json' || mime === 'image/svg+xml') return 'text';
  return mime.startsWith('image/') ? 'image' : 'other';
}
