/** What is remembered of the Ollama that Andiron set up, in `engine.json`. */
import { z } from 'zod';

export const ownRecordSchema = z.object({
  /** The version in use; its program lies in the folder of that name. */
  version: z.string(),
  /** Kept until the version in use has answered once; null = it has. */
  previous: z.string().nullable(),
  /** Ours from the first start on, as long as nobody else takes it. */
  port: z.number().int().nullable(),
  /** Chosen once, so that a library does not vanish when another one appears. */
  modelsFolder: z.string(),
  /** Of the child that was started last: how one that outlived Andiron is recognised. */
  child: z.object({ pid: z.number().int().positive(), identity: z.string().nullable() }).nullable(),
});
export type OwnRecord = z.infer<typeof ownRecordSchema>;
