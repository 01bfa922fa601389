/**
 * What `/api/show` says of models, once per digest. A server may list more models than anybody can look at, so a reading of
 * its list asks for a bounded number of descriptions; each other one is asked for when it is wanted.
 */
import type { ShowReply } from '../../ollama/schemas.ts';
import { ask } from '../base/ask.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { Tag } from './to-model-info.ts';

/** By its digest, so that copies of a model are described once; else by its name. */
type Described = Pick<Tag, 'name' | 'digest'>;

const showMs = 5_000;
/** Descriptions asked for at the same time. */
const atOnce = 4;
/** Descriptions asked for in one reading, and how long it begins new ones: the list is told then, as far as it is known. */
const maxShownAtOnce = 200;
const maxShowingMs = 10_000;

export function createDescriptions({ clock, log, ollama }: Pick<EngineDeps, 'clock' | 'log' | 'ollama'>) {
  const shown = new Map<string, ShowReply>();
  /** Asked for without success. */
  const refused = new Set<string>();

  const show = async (url: string, model: Described): Promise<void> => {
    const key = keyOf(model);
    try {
      shown.set(key, await ask(clock, showMs, (signal) => ollama.show(url, model.name, signal)));
      refused.delete(key);
    } catch (error) {
      // Once: a list of refusals would fill the log with every reading.
      if (!refused.has(key))
        log.warn('a model could not be described', { model: model.name, reason: String(error) });
      refused.add(key);
    }
  };

  const describe = async (
    url: string,
    next: () => Described | undefined,
    until = Infinity,
  ): Promise<void> => {
    const work = async (): Promise<void> => {
      while (clock.monotonic() < until) {
        const model = next();
        if (!model) return;
        await show(url, model);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  };

  return {
    of: (model: Described): ShowReply | undefined => shown.get(keyOf(model)),
    /** As many of those that are not described as may be in one reading. Never rejects. */
    async describeSome(url: string, tags: readonly Tag[]): Promise<void> {
      // Those that were refused once keep nobody else waiting.
      const unknown = tags
        .filter((tag) => !shown.has(keyOf(tag)))
        .toSorted((a, b) => Number(refused.has(keyOf(a))) - Number(refused.has(keyOf(b))))
        .slice(0, maxShownAtOnce);
      await describe(url, () => unknown.shift(), clock.monotonic() + maxShowingMs);
    },
    /** All that `next` gives while it works; undefined = no more. Never rejects. */
    describeAll: (url: string, next: () => Described | undefined): Promise<void> => describe(url, next),
    /** A server may list others at each reading. */
    forgetAllBut(tags: readonly Tag[]): void {
      const known = new Set(tags.map(keyOf));
      for (const kept of [shown, refused]) {
        for (const key of kept.keys()) if (!known.has(key)) kept.delete(key);
      }
    },
  };
}

function keyOf({ digest, name }: Described): string {
  return digest || name;
}
