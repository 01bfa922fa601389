/** What a message asks for, as its turn opens: the model says it before it does anything. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

/** Characters of a step's `what`, counted as a JSON schema's `maxLength` does: an emoji is one. */
const maxScopeWords = 60;
/** Four of the model, those that are added while it works, and the answer. */
const maxScopeSteps = 8;

/** What a turn may do beside reading. */
const turnPermissionSchema = z.enum(['change', 'run']);
export type TurnPermission = z.infer<typeof turnPermissionSchema>;

/** Each at most once. */
export const turnPermissionsSchema = z
  .array(turnPermissionSchema)
  .max(turnPermissionSchema.options.length)
  .refine((given) => new Set(given).size === given.length, { message: 'Named twice' });

/** `use`: a tool of another program, or the web. */
const scopeActSchema = z.enum(['look', 'change', 'run', 'use', 'answer']);

/** `what` comes from the model: show it as plain text. */
export const turnScopeSchema = lazyObject(() => ({
  change: z.boolean(),
  run: z.boolean(),
  /** No tool of its profile changes the folder or runs a command, so it cannot be allowed to. */
  mayNotChange: z.literal(true).optional(),
  steps: z
    .array(
      z.object({
        act: scopeActSchema,
        what: z.string().refine((words) => Array.from(words).length <= maxScopeWords, {
          message: `Longer than ${String(maxScopeWords)} characters`,
        }),
      }),
    )
    .max(maxScopeSteps),
}));
export type TurnScope = z.infer<typeof turnScopeSchema>;
