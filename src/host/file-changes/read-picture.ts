/** A picture that an answer names: from the session's folder alone, through no link, and told by its bytes. */
import { basename, relative, resolve, sep } from 'node:path';
import { maxAttachmentBytes } from '../../protocol/attachment-limits.ts';
import { AndironError } from '../../protocol/errors.ts';
import { maxPicturePixels } from '../../protocol/limits.ts';
import { pictureSize } from '../attachments/picture-size.ts';
import { pictureMime } from '../attachments/sniff.ts';
import { lookAt, type LookDeps } from './look.ts';
import type { ReadFile } from './read-result-file.ts';

const refused = (message: string, advice: string): AndironError =>
  new AndironError('invalid_params', message, advice);

/** `workspace`: its real path; `path`: as it was written, from there or from the root. Rejects with AndironError. */
export async function readPicture(deps: LookDeps, workspace: string, path: string): Promise<ReadFile> {
  const place = resolve(workspace, path);
  const shown = relative(workspace, place).split(sep).join('/');
  const name = basename(place);
  const seen = await lookAt(deps, workspace, { path: place, shown: shown === '' ? '.' : shown });
  switch (seen.kind) {
    case 'file':
      return { name, ...checked(name, seen.bytes), bytes: seen.bytes };
    case 'too_large':
      throw tooLarge(name);
    case 'none':
      throw new AndironError('not_found', `There is no ${shown} in this folder.`, 'Ask where it was saved.');
    case 'unreachable':
      throw refused(seen.why, 'Open it in another program.');
    case 'link':
      throw refused(`${shown} is a link.`, 'Open it in another program.');
    case 'folder':
    case 'other':
      throw refused(`${shown} is no picture.`, 'Open it in another program.');
  }
}

function checked(name: string, bytes: Uint8Array): { mime: string } {
  if (bytes.length > maxAttachmentBytes) throw tooLarge(name);
  const [mime, size] = [pictureMime(bytes), pictureSize(bytes)];
  if (mime === null || size === null)
    throw refused(`${name} is no whole picture of a kind that can be shown.`, 'Open it in another program.');
  // A small file can hold more than a window has memory for.
  if (size.width * size.height > maxPicturePixels)
    throw refused(`${name} has too many pixels to be shown.`, 'Open it in another program.');
  return { mime };
}

const tooLarge = (name: string): AndironError =>
  refused(
    `${name} is larger than ${String(maxAttachmentBytes / 1024 / 1024)} MB.`,
    'Open it in another program.',
  );
