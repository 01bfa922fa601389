/** Secrets by name: sealed by the system's keychain where there is one, else in a file that only this person reads. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Files } from '../../platform/files.ts';
import type { Keychain } from '../../platform/keychain.ts';
import { privateFileMode } from '../../platform/private-data.ts';
import { AndironError, asSentence } from '../../protocol/errors.ts';
import { parseJson } from '../../protocol/json.ts';

export interface SecretFileDeps {
  files: Pick<Files, 'readBytes' | 'realPath' | 'writeAtomic'>;
  dataDir: string;
  keychain: Keychain | null;
}

export interface SecretFileNames {
  /** Of the file in the data folder. */
  file: string;
  /** What cannot be done while it cannot be read, after "so". */
  effect: string;
}

const maxFileBytes = 2 * 1024 * 1024;
const entrySchema = z.union([z.strictObject({ sealed: z.string() }), z.strictObject({ secret: z.string() })]);
const fileSchema = z.record(z.string(), entrySchema);

export type SecretFile<Name extends string> = ReturnType<typeof createSecretFile<Name>>;

export function createSecretFile<Name extends string>(
  { file, effect }: SecretFileNames,
  { files, dataDir, keychain }: SecretFileDeps,
) {
  const path = join(dataDir, file);
  let before: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<z.infer<typeof fileSchema>> => {
    if ((await files.realPath(path)) === null) return {};
    try {
      return fileSchema.parse(parseJson(Buffer.from(await files.readBytes(path, maxFileBytes)).toString()));
    } catch (error) {
      throw new AndironError(
        'storage',
        `${path} cannot be read, so ${effect}.`,
        'Remove the file and set the secrets again.',
        { cause: error },
      );
    }
  };

  const withKeychain = async (act: 'seal' | 'open', text: string): Promise<string> => {
    try {
      if (!keychain) throw new Error('there is no keychain here');
      return await keychain[act](text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new AndironError(
        'storage',
        asSentence(`The system keychain refused: ${reason}`),
        'Unlock your keychain, or set the secret again.',
        { cause: error },
      );
    }
  };

  return {
    has: async (name: Name): Promise<boolean> => (await read())[name] !== undefined,
    /** null = there is none. Rejects with AndironError where one is kept and the system does not give it. */
    async get(name: Name): Promise<string | null> {
      const entry = (await read())[name];
      if (!entry) return null;
      return 'secret' in entry ? entry.secret : withKeychain('open', entry.sealed);
    },
    /** In the place of an older one; null removes it. Rejects with AndironError, and then the older one stays. */
    set(name: Name, secret: string | null): Promise<void> {
      const write = async (): Promise<void> => {
        const { [name]: _old, ...others } = await read();
        const entry =
          secret !== null && (keychain ? { sealed: await withKeychain('seal', secret) } : { secret });
        const content = `${JSON.stringify(entry ? { ...others, [name]: entry } : others, null, 2)}\n`;
        await files.writeAtomic(path, content, { mode: privateFileMode });
      };
      const written = before.then(write, write);
      before = written;
      return written;
    },
  };
}
