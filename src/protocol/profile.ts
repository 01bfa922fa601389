/** What a profile says (E): `profile.json` and the two prompts beside it. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import { defaultContextTokens } from './profile-limits.ts';

/** `accept_edits`: as `auto_read`, and files of the session's folder are changed without a question, but for protected ones. */
const approvalPolicySchema = z.enum(['ask', 'auto_read', 'accept_edits']);
export type ApprovalPolicy = z.infer<typeof approvalPolicySchema>;
/**
 * What one session may do without asking. `autonomous`: edits, and commands that the sandbox keeps in and undo covers; no
 * profile has it.
 */
export const approvalModeSchema = z.enum([...approvalPolicySchema.options, 'plan_only', 'autonomous']);
export type ApprovalMode = z.infer<typeof approvalModeSchema>;

/** The keys of `profile.json` (E). The prompt itself is `system.md` beside it. */
const profileKeys = {
  name: z.string().min(1),
  description: z.string(),
  /** In order of preference; the first installed one is used. Empty = any installed model that can call tools. */
  models: z.array(z.string()),
  tools: z.array(z.string()),
  approvals: approvalPolicySchema,
  maxIterations: z.number().int().min(1).max(200),
  /** Left out = the model's own default. */
  think: z.union([z.boolean(), z.string()]).optional(),
  /** Planned window in tokens; the engine lowers it to what the model was trained for. */
  contextTokens: z.number().int().min(2048),
  /** Sampling that differs from the model's own parameters. */
  sampling: z.strictObject({
    temperature: z.number().min(0).max(5).optional(),
    top_p: z.number().min(0).max(1).optional(),
    top_k: z.number().int().min(0).optional(),
    seed: z.number().int().optional(),
  }),
  firstTokenTimeoutS: z.number().min(1),
  idleTokenTimeoutS: z.number().min(1),
  /** Plan before working on a message (D1). */
  planningEnabled: z.boolean(),
  /** Review the analysis before the steps are written, where the model asks for it (D8, E3). */
  planningPhase2Enabled: z.boolean(),
  /** No way past the plan, not even for small talk (W18). */
  planningMandatory: z.boolean(),
  /** Say when few steps are left (E2). */
  iterationBudgetEnabled: z.boolean(),
  /** Repeat the goal every so many iterations; 0 = never (E4, Q12). */
  goalAnchoringEnabled: z.boolean(),
  goalAnchoringInterval: z.number().int().min(0),
  /** Warn after so many iterations without progress, or so many equal calls (E5, Q11). */
  antiStallEnabled: z.boolean(),
  antiStallThreshold: z.number().int().min(1),
  /** A step is done only with words that prove it (E6). */
  stepValidationEnabled: z.boolean(),
  /** A failed step asks for a new plan (E7). */
  adaptiveReplanEnabled: z.boolean(),
  subagentPlanningEnabled: z.boolean(),
  /** Empty = the profile's own tools (A6). */
  subagentTools: z.array(z.string()),
  subagentMaxIterations: z.number().int().min(1).max(200),
  subagentTimeoutS: z.number().min(1),
  /** Share of the window above which older turns are summarised before and after a turn; 0 = never (I4, R). */
  compactAt: z.number().min(0).max(0.95),
  keepRecentTurns: z.number().int().min(1),
  /** Remember facts about the person across sessions (J1). */
  memoryEnabled: z.boolean(),
  /** How the model calls tools: `auto` learns it. */
  calls: z.enum(['auto', 'native', 'constrained']),
};

/** What a profile may change: no defaults here, so a key that is not named stays as it is. */
export const profileChangesSchema = z.lazy(() =>
  z
    .strictObject({
      ...profileKeys,
      /** null = back to the model's own default. */
      think: profileKeys.think.nullable(),
    })
    .partial(),
);
export type ProfileChanges = z.infer<typeof profileChangesSchema>;

export const profileFileSchema = z.strictObject({
  ...profileKeys,
  description: profileKeys.description.default(''),
  models: profileKeys.models.default([]),
  approvals: profileKeys.approvals.default('auto_read'),
  maxIterations: profileKeys.maxIterations.default(20),
  contextTokens: profileKeys.contextTokens.default(defaultContextTokens),
  sampling: profileKeys.sampling.default({}),
  firstTokenTimeoutS: profileKeys.firstTokenTimeoutS.default(120),
  idleTokenTimeoutS: profileKeys.idleTokenTimeoutS.default(60),
  planningEnabled: profileKeys.planningEnabled.default(false),
  planningPhase2Enabled: profileKeys.planningPhase2Enabled.default(false),
  planningMandatory: profileKeys.planningMandatory.default(false),
  iterationBudgetEnabled: profileKeys.iterationBudgetEnabled.default(true),
  goalAnchoringEnabled: profileKeys.goalAnchoringEnabled.default(true),
  goalAnchoringInterval: profileKeys.goalAnchoringInterval.default(5),
  antiStallEnabled: profileKeys.antiStallEnabled.default(true),
  antiStallThreshold: profileKeys.antiStallThreshold.default(8),
  stepValidationEnabled: profileKeys.stepValidationEnabled.default(false),
  adaptiveReplanEnabled: profileKeys.adaptiveReplanEnabled.default(false),
  subagentPlanningEnabled: profileKeys.subagentPlanningEnabled.default(false),
  subagentTools: profileKeys.subagentTools.default([]),
  subagentMaxIterations: profileKeys.subagentMaxIterations.default(40),
  subagentTimeoutS: profileKeys.subagentTimeoutS.default(300),
  compactAt: profileKeys.compactAt.default(0.75),
  keepRecentTurns: profileKeys.keepRecentTurns.default(8),
  memoryEnabled: profileKeys.memoryEnabled.default(true),
  calls: profileKeys.calls.default('auto'),
});
export type ProfileFile = z.infer<typeof profileFileSchema>;

export const profileSchema = z.lazy(() =>
  profileFileSchema.extend({
    id: z.string(),
    builtIn: z.boolean(),
    systemPrompt: z.string(),
    /** For its subagents, in place of the profile's own (A5); empty = none. From `subagent.md`. */
    subagentPrompt: z.string(),
    /** Who the model is, in place of the persona of all profiles; empty = that one. From `persona.md`. */
    persona: z.string(),
  }),
);
export type Profile = z.infer<typeof profileSchema>;

/** A profile folder that could not be read: shown, never dropped in silence. */
export const profileProblemSchema = lazyObject(() => ({
  id: z.string(),
  path: z.string(),
  message: z.string(),
}));
export type ProfileProblem = z.infer<typeof profileProblemSchema>;

/** The texts beside `profile.json`: for the model itself, for its subagents, and who it is. */
export const promptNameSchema = z.enum(['system', 'subagent', 'persona']);
export type PromptName = z.infer<typeof promptNameSchema>;

export const profileFilesSchema = lazyObject(() => ({
  folder: z.string(),
  /** The built-in one whose place it takes; null = there is none, or it is that itself. */
  replaces: profileSchema.nullable(),
  /** `profile.json` to the letter; null = it cannot be read. */
  json: z.string().nullable(),
  /** What stands before the prompt of a profile without a persona of its own. */
  commonPersona: z.string(),
}));
export type ProfileFiles = z.infer<typeof profileFilesSchema>;
