/**
 * The system's own lock for what is secret. Only Electron's main reaches it, so the host asks main over the channel
 * between them; the headless server has none.
 */

export type KeychainName = 'macos' | 'windows' | 'gnome' | 'kwallet';

export interface Keychain {
  readonly name: KeychainName;
  /** Only this person's programs on this machine read it again. Rejects where the system refuses, and may ask the person. */
  seal(text: string): Promise<string>;
  /** Rejects as well for what was not sealed here. */
  open(sealed: string): Promise<string>;
}

export interface KeychainQuestion {
  type: 'keychain';
  id: number;
  act: 'seal' | 'open';
  text: string;
}

/** `error`: in the system's words. */
export type KeychainAnswer = { type: 'keychain'; id: number } & ({ text: string } | { error: string });

/** Never rejects. */
export async function answerQuestion(
  keychain: Keychain | null,
  { id, act, text }: KeychainQuestion,
): Promise<KeychainAnswer> {
  try {
    if (!keychain) throw new Error('There is no keychain.');
    return { type: 'keychain', id, text: await keychain[act](text) };
  } catch (error) {
    return { type: 'keychain', id, error: error instanceof Error ? error.message : String(error) };
  }
}

/** The keychain of the parent, from the host's side. */
export interface DistantKeychain {
  keychain: Keychain;
  /** What nobody waits for is left alone. */
  receive: (answer: KeychainAnswer) => void;
}

export function createDistantKeychain(
  name: KeychainName,
  post: (question: KeychainQuestion) => void,
): DistantKeychain {
  const open = new Map<number, PromiseWithResolvers<string>>();
  let last = 0;
  const ask = (act: KeychainQuestion['act'], text: string): Promise<string> => {
    last += 1;
    const answer = Promise.withResolvers<string>();
    open.set(last, answer);
    post({ type: 'keychain', id: last, act, text });
    return answer.promise;
  };
  const keychain: Keychain = {
    name,
    seal: (text) => ask('seal', text),
    open: (sealed) => ask('open', sealed),
  };
  return {
    keychain,
    receive(answer) {
      const waiting = open.get(answer.id);
      open.delete(answer.id);
      if ('text' in answer) waiting?.resolve(answer.text);
      else waiting?.reject(new Error(answer.error));
    },
  };
}
