/** The first task works on a copy of the sample folder, so that nothing of the person's can be touched by it. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

export const sampleMethods = {
  /** A fresh copy inside Andiron's own data folder, and where it is. */
  'sample/copy': { params: lazyObject(() => ({})), result: lazyObject(() => ({ workspace: z.string() })) },
} as const;
