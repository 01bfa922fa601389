/** The first task works on a copy of the sample folder, so that nothing of the person's can be touched by it. */
import { z } from 'zod';

export const sampleMethods = {
  /** A fresh copy inside Andiron's own data folder, and where it is. */
  'sample/copy': { params: z.object({}), result: z.object({ workspace: z.string() }) },
} as const;
