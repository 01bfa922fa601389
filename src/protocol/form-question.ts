/** What a server of tools wants to know from the person while one of its tools runs. All texts are foreign. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

const label = { name: z.string(), title: z.string(), description: z.string(), isRequired: z.boolean() };

export const textFormats = ['email', 'uri', 'date', 'date-time'] as const;

export const formFieldSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      ...label,
      kind: z.literal('text'),
      format: z.enum(textFormats).nullable(),
      minLength: z.number().int(),
      maxLength: z.number().int(),
      initial: z.string(),
    }),
    z.object({
      ...label,
      kind: z.literal('number'),
      isInteger: z.boolean(),
      minimum: z.number().nullable(),
      maximum: z.number().nullable(),
      initial: z.number().nullable(),
    }),
    z.object({ ...label, kind: z.literal('boolean'), initial: z.boolean() }),
    z.object({
      ...label,
      kind: z.literal('choice'),
      options: z.array(z.object({ value: z.string(), title: z.string() })),
      /** How many may be chosen; null = exactly one, which is no list. */
      several: z.object({ min: z.number().int(), max: z.number().int() }).nullable(),
      initial: z.array(z.string()),
    }),
  ]),
);
export type FormField = z.infer<typeof formFieldSchema>;

export const formQuestionSchema = lazyObject(() => ({
  /** As it is named in `mcp.json`. */
  server: z.string(),
  message: z.string(),
  /** `address`: a page that the person is to open; nothing but their yes goes back. */
  wanted: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('fields'), fields: z.array(formFieldSchema) }),
    z.object({ kind: z.literal('address'), url: z.string() }),
  ]),
}));
export type FormQuestion = z.infer<typeof formQuestionSchema>;

/** Characters of one value. */
export const maxFormText = 10_000;
const text = z.string().max(maxFormText);
export const formValuesSchema = z.record(
  z.string().max(200),
  z.union([text, z.number(), z.boolean(), z.array(text).max(200)]),
);
/** By the names of fields; what was left empty is not in it. */
export type FormValues = z.infer<typeof formValuesSchema>;
