/** What is in an archive, as the platform's `tar` lists it, and whether it may be unpacked. */
import { posix } from 'node:path';
import { SetupFailure } from './setup-failure.ts';

/** Whose listing it is: GNU's on Linux, bsdtar's on a Mac and on Windows. */
export type TarFlavour = 'gnu' | 'bsd';

export interface Member {
  kind: 'file' | 'folder' | 'link' | 'hard_link';
  /** With `/`, without one at either end; empty = the archive's own root. */
  name: string;
  /** Of links: as it stands there. */
  target: string | null;
  /** Bytes. */
  size: number;
}

const maxMembers = 20_000;
/** Several times what a release of Ollama is. */
const maxBytes = 32 * 1024 ** 3;

/** As asked for with `--quoting-style=c --numeric-owner --full-time`. */
const gnuLine =
  /^(?<type>.)[-rwxstST]{9}\S? +\d+\/\d+ +(?<size>[\d,]+) \d{4}-\d\d-\d\d [\d:.]+ "(?<name>(?:[^"\\]|\\.)*)"(?: (?<arrow>->|link to) "(?<target>(?:[^"\\]|\\.)*)")?$/;

/** mode, links, owner, group, size, date, name. Windows writes the date as its user does, so only its end is known. */
const bsdLine =
  /^(?<type>.)[-rwxstST]{9}\S? +\d+ +\S+ +\S+ +(?<size>[\d,]+) +(?:.{3,24}? +(?:\d{1,2}:\d\d|\d{4})|-- -- ----) (?<name>.*)$/;

const kinds: Record<string, Member['kind']> = { '-': 'file', d: 'folder', l: 'link', h: 'hard_link' };

/** Every line is understood, or the archive is refused: what cannot be read cannot be judged. */
export function readMembers(listing: string, flavour: TarFlavour): Member[] {
  const lines = listing.split(/\r?\n/).filter((line) => line !== '');
  if (lines.length > maxMembers) throw unsafe('it holds too many files');
  return lines.map((line) => (flavour === 'gnu' ? readGnu(line) : readBsd(line)));
}

function readGnu(line: string): Member {
  const parts = gnuLine.exec(line)?.groups;
  if (!parts) throw unreadable(line);
  return member(line, parts['type'], parts['name'], parts['target'] ?? null, parts['size']);
}

function readBsd(line: string): Member {
  const parts = bsdLine.exec(line)?.groups;
  const rest = parts?.['name'];
  if (!parts || rest === undefined) throw unreadable(line);
  const type = parts['type'];
  // The listing does not quote: a name that holds an arrow itself could be read in two ways.
  const pieces = rest.split(/ -> | link to /);
  if (pieces.length > 2) throw unsafe(`it holds a file with the name ${rest}`);
  const [name, target = null] = pieces;
  const isHardLink = type === '-' && target !== null;
  return member(line, isHardLink ? 'h' : type, name, target, parts['size']);
}

function member(
  line: string,
  type = '',
  name = '',
  target: string | null = null,
  size: string | undefined = '0',
): Member {
  const kind = kinds[type];
  if (!kind) throw unsafe(`it holds something that is neither file, folder nor link: ${line}`);
  const isLink = kind === 'link' || kind === 'hard_link';
  if (isLink !== (target !== null)) throw unreadable(line);
  return { kind, name: plainName(name), target, size: Number(size) };
}

/** Escaped signs, drive letters and backslashes are in no release, and mean different things to different tools. */
function plainName(name: string): string {
  if (/[\\:]/.test(name)) throw unsafe(`it holds a file with the name ${name}`);
  if (name.startsWith('/')) throw unsafe(`${name} lies outside of the folder`);
  const plain = posix.normalize(name).replace(/\/$/, '');
  if (plain === '..' || plain.startsWith('../') || name.split('/').includes('..')) {
    throw unsafe(`${name} lies outside of the folder`);
  }
  return plain === '.' ? '' : plain;
}

/**
 * Throws where anything would come to lie outside, or could be led there by a link. Returns the bytes that will be
 * needed.
 */
export function checkMembers(members: readonly Member[]): number {
  const links = new Set(members.filter(({ kind }) => kind === 'link').map(({ name }) => name));
  for (const each of members) {
    for (let folder = posix.dirname(each.name); folder !== '.'; folder = posix.dirname(folder)) {
      if (links.has(folder)) throw unsafe(`${each.name} lies behind a link`);
    }
    if (each.kind === 'hard_link') {
      if (links.has(plainName(each.target ?? ''))) throw unsafe(`${each.name} is tied to a link`);
    } else if (each.kind === 'link') checkLink(each);
  }
  const bytes = members.reduce((sum, { size }) => sum + size, 0);
  if (bytes > maxBytes) throw unsafe('it is far too large');
  return bytes;
}

function checkLink({ name, target }: Member): void {
  const to = target ?? '';
  const end = posix.normalize(posix.join(posix.dirname(name), to));
  const leaves = posix.isAbsolute(to) || /[\\:]/.test(to) || end === '..' || end.startsWith('../');
  if (leaves || to === '') throw unsafe(`the link ${name} leads to ${to}, out of the folder`);
}

export function unsafe(what: string): SetupFailure {
  return new SetupFailure(
    'archive_unsafe',
    `The archive was not unpacked: ${what}.`,
    'Nothing of it was kept. Please report this; until then install Ollama from https://ollama.com/download.',
  );
}

function unreadable(line: string): SetupFailure {
  return new SetupFailure(
    'archive_broken',
    `The archive was not unpacked, because its list of files could not be read: ${line.slice(0, 200)}`,
    'Install Ollama from https://ollama.com/download.',
  );
}
