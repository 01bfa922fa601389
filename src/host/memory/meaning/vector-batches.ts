/** What is to be made a vector of next, a handful at a time: the texts that measure a model, then facts. */
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import { maxEmbedTexts } from '../../../protocol/engine-methods.ts';
import { lazyObject } from '../../../protocol/lazy-object.ts';
import type { Store } from '../../store/store.ts';
import { boundOf, calibrationTexts } from './calibration.ts';

export interface VectorBatch {
  texts: readonly string[];
  keep: (vectors: readonly Float32Array[]) => void | Promise<void>;
  /** Nothing is left to do when it is kept. */
  isLast: boolean;
}

/** Texts beside facts: they come after these. */
export interface MoreTexts {
  /** There may be some that are found by their vectors. */
  hasAny(): boolean;
  /** null = there is nothing to do. */
  next(digest: string): Promise<VectorBatch | null>;
}

export interface VectorBatchesDeps {
  store: Pick<
    Store,
    'factsWithoutVector' | 'putVector' | 'digestOfMost' | 'readModelFact' | 'writeModelFact'
  >;
  clock: Pick<Clock, 'now'>;
}

const measuredKey = 'meaning';
const measuredSchema = lazyObject(() => ({ bound: z.number() }));

export function createVectorBatches({ store, clock }: VectorBatchesDeps) {
  let measuring: { digest: string; vectors: Float32Array[] } = { digest: '', vectors: [] };

  const boundFor = (digest: string): number | null =>
    store.readModelFact(digest, measuredKey, measuredSchema)?.bound ?? null;

  /** Without any there is nothing to find, so nothing is measured either. */
  const hasFacts = (digest: string): boolean =>
    store.digestOfMost() !== null || store.factsWithoutVector(digest, clock.now(), 1).length > 0;

  const measure = (digest: string): VectorBatch => {
    if (measuring.digest !== digest) measuring = { digest, vectors: [] };
    const { vectors: known } = measuring;
    return {
      texts: calibrationTexts.slice(known.length, known.length + maxEmbedTexts),
      isLast: false,
      keep(vectors) {
        known.push(...vectors);
        if (known.length < calibrationTexts.length) return;
        store.writeModelFact(digest, measuredKey, { bound: boundOf(known) });
        measuring = { digest: '', vectors: [] };
      },
    };
  };

  return {
    /** Two texts of that model that are less far apart mean the same; null = that was not measured yet. */
    boundFor,
    hasFacts,
    /** null = there is nothing to do. */
    next(digest: string): VectorBatch | null {
      if (boundFor(digest) === null && hasFacts(digest)) return measure(digest);
      const facts = store.factsWithoutVector(digest, clock.now(), maxEmbedTexts);
      if (facts.length === 0) return null;
      return {
        texts: facts.map(textOf),
        isLast: facts.length < maxEmbedTexts,
        keep(vectors) {
          for (const [at, fact] of facts.entries()) {
            const vector = vectors[at];
            if (vector) store.putVector(fact, digest, vector);
          }
        },
      };
    },
  };
}

const textOf = ({ key, value }: { key: string; value: string }): string =>
  `${key.replaceAll('_', ' ')}: ${value}`;
