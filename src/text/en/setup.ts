import { bytes, downloadBytes, seconds } from './figures.ts';

/** Ollama in Andiron's own folder. */
export const setup = {
  title: 'Bundled Ollama',
  offer: (version: string): string => `Ollama ${version}, set up by Andiron`,
  offerHelp:
    'Andiron verifies the official download by its checksum. Nothing outside this folder is changed.',
  from: 'From',
  to: 'Into',
  size: 'Download',
  price: (size: number, time: string): string => `${downloadBytes(size)}, ${time}`,
  sizeUnknown: 'size unknown',
  downloaded: 'already downloaded',
  begin: 'Set up Ollama',
  installed: (version: string, size: number | null): string =>
    size === null ? `Ollama ${version}` : `Ollama ${version}, ${bytes(size)}`,
  update: (version: string): string => `Update to ${version}`,
  remove: 'Remove it',
  removeTitle: 'Remove Andiron’s Ollama?',
  removeText: 'This deletes the program and its downloads. Its models stay on the disk.',
  removeAll: 'Remove it and its models',
  removeModelsText: 'This deletes the program, its downloads and all of its models.',
  keep: 'Keep it',
  phases: {
    downloading: 'Downloading',
    verifying: 'Checking the checksum',
    unpacking: 'Unpacking',
    starting: 'Starting',
    removing: 'Removing',
    paused: 'Paused',
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
