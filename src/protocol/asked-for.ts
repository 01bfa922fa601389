import { z } from 'zod';

/** What makes a call ask. `skill`: it is none of the tools that the skill in force lists. */
export const askedForSchema = z.enum([
  'command',
  'protected',
  'tainted',
  'unannounced',
  'skill',
  'policy',
  'host',
]);
