/** What the system refused, in words for a model: what happened and what to do next. */
import { FileRefusedError, type FileRefusal } from '../../platform/files.ts';
import { combined, inWords, type Words } from './advice.ts';

/** What happened, and what to do next. */
type Said = readonly [happened: string, advice?: string];

const refusals: Record<FileRefusal, Said> = {
  link: [
    'the path is reached through a link, which is not followed.',
    'Use the path that the link leads to.',
  ],
  changed: ['the file has changed in this very moment.', 'Read it again with read_file first.'],
  not_a_file: ['it is not a regular file.'],
  too_large: ['the file is too large for this tool.', 'Use a command.'],
  read_only: ['the file is read-only.', 'Ask the person before you change that.'],
};

const noRight: Said = ['permission was denied.', 'Use another place, or ask the person to allow it.'];
const noSpace: Said = [
  'there is no space left, so the file is as it was.',
  'Ask the person to free some, then do it again.',
];
const notAFolder: Said = [
  'a part of the path is a file and not a folder.',
  'Use list_files to see what is there.',
];
const tooManyFiles: Said = ['too many files are open on this computer.', 'Wait a little, then do it again.'];

const codes: Readonly<Record<string, Said>> = {
  EACCES: noRight,
  EPERM: noRight,
  EROFS: ['this place can only be read.', 'Use another one, or ask the person.'],
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EFBIG: ['the file would be larger than is allowed here.', 'Write less.'],
  ENAMETOOLONG: ['the path is too long.', 'Use a shorter one.'],
  ENOTDIR: notAFolder,
  EEXIST: notAFolder,
  EISDIR: ['it is a folder.', 'Name a file in it.'],
  ENOENT: ['it is gone.', 'Use list_files to see what is there.'],
  EBUSY: ['another program is using it.', 'Wait a little, then do it again.'],
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
  EIO: ['the disk could not do it.', 'Tell the person.'],
  E2BIG: ['it is too long to be run.', 'Make it shorter, or write it into a file and run that.'],
  EAGAIN: ['the computer has no room for another process.', 'Wait a little, then do it again.'],
  ENOMEM: ['the computer has no memory left for it.', 'Do it in smaller parts.'],
  ERR_INVALID_ARG_VALUE: ['it contains a NUL character, which nothing can be run with.', 'Leave it out.'],
};

const noProgram: Said = [
  'it could not be started: the program or the folder that it runs in is missing.',
  'Tell the person.',
];

/** null = nothing better is known than what the error itself says. */
export function describeRefusal(error: unknown): Words | null {
  if (error instanceof FileRefusedError) return inWords(...refusals[error.refusal]);
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  const { code } = error;
  if (code === 'ENOENT' && isStart(error)) return inWords(...noProgram);
  const said = Object.hasOwn(codes, code) ? codes[code] : undefined;
  return said ? combined((text) => `${text} (${code})`, inWords(...said)) : null;
}

const isStart = (error: Error): boolean =>
  'syscall' in error && typeof error.syscall === 'string' && error.syscall.startsWith('spawn');
