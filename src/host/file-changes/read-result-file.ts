/** What stands now where a tool brought a file out: from the session's folder alone, and through no link. */
import { join } from 'node:path';
import { maxAttachmentBytes } from '../../protocol/attachment-limits.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { ResultFile } from '../../protocol/result-files.ts';
import { lookAt, type LookDeps } from './look.ts';

export interface ReadFile {
  name: string;
  mime: string;
  bytes: Uint8Array;
}

/** `workspace`: its real path. Rejects with AndironError. */
export async function readResultFile(
  deps: LookDeps,
  workspace: string,
  file: ResultFile | null,
): Promise<ReadFile> {
  if (file === null) throw new AndironError('not_found', 'This session has no such file.', 'Choose another.');
  const { name, mime, path: shown } = file;
  if (shown === null)
    throw new AndironError(
      'invalid_params',
      `${name} does not lie in the session’s folder.`,
      'Open it at its address.',
    );
  const seen = await lookAt(deps, workspace, { path: join(workspace, shown), shown });
  switch (seen.kind) {
    case 'file':
      if (seen.bytes.length <= maxAttachmentBytes) return { name, mime, bytes: seen.bytes };
      throw tooLarge(name);
    case 'too_large':
      throw tooLarge(name);
    case 'none':
      throw new AndironError('not_found', `${name} is gone.`, 'It was removed or renamed since.');
    case 'unreachable':
      throw new AndironError('invalid_params', seen.why, 'Open it in another program.');
    case 'folder':
    case 'link':
    case 'other':
      throw new AndironError(
        'invalid_params',
        `${shown} is no plain file any more.`,
        'Open it in another program.',
      );
  }
}

const tooLarge = (name: string): AndironError =>
  new AndironError(
    'invalid_params',
    `${name} is larger than ${String(maxAttachmentBytes / 1024 / 1024)} MB.`,
    'Open it in another program.',
  );
