/** Where Andiron's own Ollama lies: everything in one folder beside `engine.json`, so that removing it removes all. */
import { posix, win32 } from 'node:path';
import type { Machine } from '../base/engine-deps.ts';

export interface SetupFolders {
  root: string;
  /** One folder for each version: an old `lib/ollama` is never mixed with a new one. */
  versions: string;
  version(version: string): string;
  /** A sibling in which a version is put together before it gets its name; what begins with a dot is left over. */
  draft(version: string): string;
  downloads: string;
  inDownloads(name: string): string;
  /** Where the asset grows. */
  download(asset: string): string;
  /** Its home: keys and whatever else Ollama and GPU drivers put there. */
  home: string;
  /** Of its own, where the person has none. */
  models: string;
  log: string;
  /** A file of a version, by its name with `/`. */
  file(version: string, name: string): string;
  /** Something that is to vanish gets this name first, so that half of it is never taken for the whole. */
  doomed: string;
}

export function setupFolders(platform: NodeJS.Platform, dataFile: string): SetupFolders {
  const path = platform === 'win32' ? win32 : posix;
  const data = path.dirname(dataFile);
  const root = path.join(data, 'ollama');
  const versions = path.join(root, 'versions');
  const downloads = path.join(root, 'downloads');
  return {
    root,
    versions,
    version: (version) => path.join(versions, version),
    draft: (version) => path.join(versions, `.new-${version}`),
    downloads,
    inDownloads: (name) => path.join(downloads, name),
    download: (asset) => path.join(downloads, `${asset}.part`),
    home: path.join(root, 'home'),
    models: path.join(root, 'models'),
    log: path.join(data, 'logs', 'ollama.log'),
    file: (version, name) => path.join(versions, version, ...name.split('/')),
    doomed: path.join(root, '.removed'),
  };
}

/** Where the person's own models would be: `OLLAMA_MODELS`, or Ollama's usual place. */
export function personsModels({
  platform,
  env,
  homeDir,
}: Pick<Machine, 'platform' | 'env' | 'homeDir'>): string {
  const path = platform === 'win32' ? win32 : posix;
  const named = env['OLLAMA_MODELS']?.trim();
  return named && path.isAbsolute(named) ? named : path.join(homeDir, '.ollama', 'models');
}

/** Variables that say where things are, which GPUs there are, and how the network is reached; no wishes for Ollama. */
const passedOn = [
  'PATH',
  'TMPDIR',
  'LANG',
  'LD_LIBRARY_PATH',
  'CUDA_VISIBLE_DEVICES',
  'GPU_DEVICE_ORDINAL',
  'HIP_VISIBLE_DEVICES',
  'HSA_OVERRIDE_GFX_VERSION',
  'ROCR_VISIBLE_DEVICES',
  'GGML_VK_VISIBLE_DEVICES',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  // Windows finds neither its own libraries nor its drivers without these.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
];

/**
 * The whole environment of our child: it listens on loopback only, and nothing of it goes to the cloud.
 * @param own `keepsPartials`: half downloaded models stay at its start, however old.
 */
export function childEnvironment(
  { platform, env }: Pick<Machine, 'platform' | 'env'>,
  own: { port: number; models: string; home: string; keepsPartials: boolean },
): Record<string, string> {
  const windows = platform === 'win32';
  const wanted = new Set(passedOn);
  const kept = Object.entries(env).filter(([name]) => wanted.has(windows ? name.toUpperCase() : name));
  return {
    ...Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    [windows ? 'USERPROFILE' : 'HOME']: own.home,
    OLLAMA_HOST: `127.0.0.1:${String(own.port)}`,
    OLLAMA_MODELS: own.models,
    OLLAMA_NO_CLOUD: '1',
    ...(own.keepsPartials && { OLLAMA_NOPRUNE: '1' }),
  };
}
