/** What a tool of a server answered: words as the model reads them, and pictures. All of it is foreign. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import { parseJson } from '../../protocol/json.ts';
import { maxPicturePixels, maxResultPictureBytes, maxResultPictures } from '../../protocol/limits.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import { pictureSize } from '../attachments/picture-size.ts';
import { pictureMime } from '../attachments/sniff.ts';
import { canonicalJson } from './definitions.ts';

/** Kept whole for the person; what is longer is cut. */
const maxWhole = 1_000_000;
/** Of what a server calls a thing. */
const maxLabel = 200;
const maxAddress = 2_000;

interface Picture {
  name: string;
  bytes: Uint8Array;
}

export interface ReadResult {
  text: string;
  pictures: Picture[];
}

type Part = CallToolResult['content'][number];

/** Where a text says the same as the structure beside it, as servers are told to write it, the structure is shorter. */
export function readResult({ content, structuredContent }: CallToolResult): ReadResult {
  const structure = structuredContent === undefined ? null : canonicalJson(structuredContent);
  const pictures: Picture[] = [];
  const parts = content
    .filter((part) => structure === null || part.type !== 'text' || !isCopy(part.text, structure))
    .map((part) => wordsOfPart(part, pictures));
  const words = [...parts, structure ?? ''].filter((part) => part !== '').join('\n');
  const text = words.length > maxWhole ? `${words.slice(0, maxWhole)}\n... [truncated]` : words;
  return { text, pictures };
}

function isCopy(text: string, structure: string): boolean {
  try {
    return canonicalJson(parseJson(text)) === structure;
  } catch {
    return false;
  }
}

/** A picture is added to those that came before it. */
function wordsOfPart(part: Part, pictures: Picture[]): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
      return takePicture(part, pictures);
    case 'audio':
      return notShown(label(part.mimeType), part.data);
    case 'resource_link':
      return `[${label(part.title ?? part.name)}: ${address(part.uri)}. ${howToRead(part.uri)}]`;
    case 'resource': {
      const { resource } = part;
      const uri = address(resource.uri);
      if ('text' in resource) return `[${uri}]\n${resource.text}`;
      const { mimeType = 'application/octet-stream', blob } = resource;
      return isPicture(blob)
        ? `[${uri}] ${takePicture({ mimeType, data: blob }, pictures)}`
        : notShown(uri, blob);
    }
  }
}

/** Enough of it to tell what it is. */
const isPicture = (data: string): boolean => pictureMime(Buffer.from(data.slice(0, 64), 'base64')) !== null;

function takePicture({ mimeType, data }: { mimeType: string; data: string }, pictures: Picture[]): string {
  if (pictures.length === maxResultPictures)
    return `[One more picture: not shown, as a result shows at most ${String(maxResultPictures)}]`;
  if (bytesIn(data) > maxResultPictureBytes) return notShown('A picture that is too large', data);
  const bytes = Buffer.from(data, 'base64');
  const [mime, size] = [pictureMime(bytes), pictureSize(bytes)];
  if (mime === null || size === null)
    return notShown(`Called ${label(mimeType)}, but no whole picture of a kind that can be shown`, data);
  if (size.width * size.height > maxPicturePixels) return notShown('A picture with too many pixels', data);
  const name = `picture-${String(pictures.length + 1)}.${mime.slice('image/'.length)}`;
  pictures.push({ name, bytes });
  return `[${name}: ${String(size.width)} × ${String(size.height)} pixels, ${sizeOf(data)}]`;
}

const notShown = (what: string, data: string): string => `[${what}, ${sizeOf(data)}: not shown]`;

/** In one line. */
const label = (given: string, most = maxLabel): string => visibleName(given.slice(0, most));
const address = (uri: string): string => label(uri, maxAddress);

/** A link is no permission: whatever reads it is asked about as ever. */
function howToRead(uri: string): string {
  const { protocol } = URL.canParse(uri) ? new URL(uri) : { protocol: '' };
  if (protocol === 'file:') return 'Read it with read_file if it is in the folder.';
  if (protocol === 'https:' || protocol === 'http:') return 'It is a page: name its address to the person.';
  return 'Only its server can read it: use one of its tools that takes this address, or ask the person to attach it with @.';
}

/** Of text that is base64, without what fills it up. */
const bytesIn = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
const sizeOf = (base64: string): string => `${bytesIn(base64).toLocaleString('en')} bytes`;
