/**
 * The keys of other hosts: sealed by the system's keychain where there is one, else as they are in a file that only this
 * person reads. Each goes to the address that it was set for and nowhere else: not into a prompt, a log, an answer or the
 * environment of a command.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Files } from '../../platform/files.ts';
import type { Keychain } from '../../platform/keychain.ts';
import { privateFileMode } from '../../platform/private-data.ts';
import { AndironError, asSentence } from '../../protocol/errors.ts';
import type { KeyPlace, ModelHost } from '../../protocol/model-host-methods.ts';
import { parseJson } from '../../protocol/json.ts';
import type { HostConfig } from './host-kind.ts';

export interface HostKeys {
  /** undefined = there is none. Rejects with AndironError where one is kept and the system does not give it. */
  keyOf(host: HostConfig): Promise<string | undefined>;
  standingOf(host: HostConfig): Promise<NonNullable<ModelHost['key']>>;
  /** In the place of an older one; null removes it. Rejects with AndironError, and then the older one stays. */
  set(host: HostConfig, key: string | null): Promise<void>;
  /** The key for whatever was called so, if there is one. */
  forget(hostId: string): Promise<void>;
  readonly place: KeyPlace;
}

export interface HostKeysDeps {
  files: Pick<Files, 'readBytes' | 'realPath' | 'writeAtomic'>;
  dataDir: string;
  keychain: Keychain | null;
  /** Keys by the names of `apiKeyEnv`: for who starts Andiron from a shell. */
  env: Readonly<Record<string, string | undefined>>;
}

const fileName = 'keys.json';
const maxFileBytes = 256 * 1024;
/** `origin`: whoever changes an address in `hosts.json` must not be sent the key of another. */
const origin = z.string();
const entrySchema = z.union([
  z.strictObject({ origin, sealed: z.string() }),
  z.strictObject({ origin, key: z.string() }),
]);
const fileSchema = z.looseObject({ hosts: z.record(z.string(), entrySchema) });
type KeysFile = z.infer<typeof fileSchema>;

export function createHostKeys({ files, dataDir, keychain, env }: HostKeysDeps): HostKeys {
  const path = join(dataDir, fileName);
  /** By what was sealed: the system is asked for each once, as it may ask the person. */
  const opened = new Map<string, Promise<string>>();
  let before: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<KeysFile> => {
    if ((await files.realPath(path)) === null) return { hosts: {} };
    try {
      return fileSchema.parse(parseJson(Buffer.from(await files.readBytes(path, maxFileBytes)).toString()));
    } catch {
      throw new AndironError(
        'engine_refused',
        `${path} cannot be read, so saved keys cannot be used.`,
        'Correct the file, or remove it and set the keys again.',
      );
    }
  };

  const openSealed = (sealed: string, name: string): Promise<string> => {
    const known = opened.get(sealed);
    if (known) return known;
    const asked = (keychain?.open(sealed) ?? Promise.reject(new Error('there is no keychain here'))).catch(
      (error: unknown) => {
        // The person may have said no by mistake: the next request asks again.
        opened.delete(sealed);
        throw new AndironError(
          'engine_refused',
          asSentence(`The system keychain did not return the key for ${name}: ${wordsOf(error)}`),
          'Unlock your keychain, or set the key again in Settings, Engine.',
        );
      },
    );
    opened.set(sealed, asked);
    return asked;
  };

  const fromEnvironment = ({ apiKeyEnv }: HostConfig): string | undefined => {
    const key = apiKeyEnv === undefined ? '' : (env[apiKeyEnv] ?? '').trim();
    return key === '' ? undefined : key;
  };

  const entryFor = async (host: HostConfig, given: string): Promise<z.infer<typeof entrySchema>> => {
    const key = sendableKey(given);
    const origin = originOf(host);
    if (!keychain) return { origin, key };
    try {
      const sealed = await keychain.seal(key);
      opened.set(sealed, Promise.resolve(key));
      return { origin, sealed };
    } catch (error) {
      throw new AndironError(
        'invalid_params',
        asSentence(`The key was not saved: ${wordsOf(error)}`),
        'Unlock your keychain, then set the key again.',
      );
    }
  };

  const write = async (hostId: string, entry: z.infer<typeof entrySchema> | null): Promise<void> => {
    const file = await read();
    const { [hostId]: old, ...others } = file.hosts;
    if (!old && !entry) return;
    const hosts = entry ? { ...others, [hostId]: entry } : others;
    const content = `${JSON.stringify({ ...file, hosts }, null, 2)}\n`;
    await files.writeAtomic(path, content, { mode: privateFileMode });
  };
  /** Each sees what the one before it wrote. */
  const inLine = (work: () => Promise<void>): Promise<void> => {
    const done = before.then(work, work);
    before = done;
    return done;
  };

  return {
    place: keychain ? { kind: 'keychain', name: keychain.name } : { kind: 'file', path },
    async keyOf(host) {
      const entry = (await read()).hosts[host.id];
      if (entry?.origin !== originOf(host)) return fromEnvironment(host);
      return 'key' in entry ? entry.key : openSealed(entry.sealed, host.name);
    },
    async standingOf(host) {
      const entry = (await read()).hosts[host.id];
      if (entry?.origin === originOf(host)) return 'kept';
      if (fromEnvironment(host) !== undefined) return 'environment';
      return entry ? 'elsewhere' : 'none';
    },
    set: (host, key) => inLine(async () => write(host.id, key === null ? null : await entryFor(host, key))),
    forget: (hostId) => inLine(() => write(hostId, null)),
  };
}

/** Characters that an HTTP header can carry. */
const sendable = /^[\x21-\x7e]+$/;

/** Without what copying put around it. Throws AndironError where it is no key. */
export function sendableKey(given: string): string {
  const key = given.trim();
  if (sendable.test(key)) return key;
  throw new AndironError(
    'invalid_params',
    'A key cannot contain spaces, line breaks or characters outside ASCII.',
    'Copy it again from where it is shown.',
  );
}

const originOf = ({ url }: HostConfig): string => new URL(url).origin;

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
