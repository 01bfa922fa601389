/** The pictures of a result: kept with the session before the log names them. */
import type { Attachment } from '../../protocol/attachments.ts';
import type { SentFile } from '../providers/provider.ts';
import type { ResultPicture } from '../tools/tool.ts';
import type { AttachedFiles } from './deps.ts';

interface KeptPictures {
  /** For the log; absent = none. */
  sent: { files?: SentFile[] };
  /** For the card; absent = none. */
  shown: { attachments?: Attachment[] };
  /** What the model is told of those that could not be kept; empty = all were. */
  lost: string;
}

export async function keepPictures(
  pictures: readonly ResultPicture[] = [],
  attached: AttachedFiles | undefined,
): Promise<KeptPictures> {
  if (pictures.length === 0) return { sent: {}, shown: {}, lost: '' };
  const kept = (await attached?.keep?.(pictures)) ?? [];
  const names = new Set(kept.map(({ name }) => name));
  const gone = pictures.filter(({ name }) => !names.has(name));
  const lost =
    gone.length === 0
      ? ''
      : `\n\n(Could not be kept, so nobody sees it: ${gone.map(({ name }) => name).join(', ')}.)`;
  if (kept.length === 0) return { sent: {}, shown: {}, lost };
  return {
    sent: { files: kept.map(({ bytes: _bytes, text: _text, ...file }) => file) },
    shown: { attachments: kept.map(({ path: _path, text: _text, ...attachment }) => attachment) },
    lost,
  };
}
