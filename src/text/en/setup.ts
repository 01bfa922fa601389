import { bytes, downloadBytes, seconds } from '../format.ts';

/** Ollama in Andiron's own folder. */
export const setup = {
  title: 'Ollama of Andiron’s own',
  offer: (version: string): string => `Ollama ${version}, set up by Andiron`,
  offerHelp:
    'Downloads the official archive, checks it against the checksum that Andiron knows and unpacks it. Nothing outside this folder is changed, and no other Ollama is touched.',
  from: 'From',
  to: 'Into',
  size: 'Download',
  sizeUnknown: 'size unknown',
  begin: 'Set up Ollama',
  installed: (version: string, size: number | null): string =>
    size === null ? `Ollama ${version}` : `Ollama ${version}, ${bytes(size)}`,
  update: (version: string): string => `Update to ${version}`,
  remove: 'Remove it',
  removeTitle: 'Remove Andiron’s Ollama?',
  removeText: 'Its program and what was downloaded for it are deleted. Its models stay on the disk.',
  removeAll: 'Remove it and its models',
  removeModelsText: 'Its program, what was downloaded and all of its models are deleted.',
  keep: 'Keep it',
  phases: {
    downloading: 'Downloading',
    verifying: 'Checking the checksum',
    unpacking: 'Unpacking',
    starting: 'Starting',
    removing: 'Removing',
    paused: 'Paused; what came is kept',
    failed: 'Failed',
  },
  kinds: { install: 'Setting up Ollama', update: 'Updating Ollama', remove: 'Removing Ollama' },
  pause: 'Pause',
  resume: 'Resume',
  retry: 'Try again',
  of: (done: number, total: number | null): string =>
    total === null ? `${downloadBytes(done)} so far` : `${downloadBytes(done)} of ${downloadBytes(total)}`,
  rate: (perSecond: number): string => `${downloadBytes(perSecond)} a second`,
  left: (ms: number): string => `${seconds(ms)} left`,
} as const;
