/** What a subagent works with: whose profile, which prompt and tools, how many steps (A5, A6). */
import type { Profile } from '../../protocol/model.ts';
import type { ActiveProfile } from '../loop/deps.ts';
import type { Run } from '../loop/ports.ts';
import { stricterPolicy } from '../../rules/approval.ts';
import { buildHead } from '../prompt/head.ts';
import type { PromptHead } from '../providers/provider.ts';
import type { HeadInForce } from '../models/head-source.ts';
import { ToolFailure, type SpawnRequest, type Tool } from '../tools/tool.ts';

export interface AgentHeads {
  profiles(): Profile[];
  /** As a session of that profile would begin; undefined = there is no such profile. */
  fresh(profileId: string): HeadInForce | undefined;
}

/** Refused in a subagent when they are executed, so a head of its own does not offer them. */
const parentsTools: ReadonlySet<string> = new Set(['spawn_agent', 'switch_profile']);

/** Throws ToolFailure for a profile that does not exist. */
export function agentProfile(request: SpawnRequest, parent: Run, heads: AgentHeads): ActiveProfile {
  const now = parent.model.active();
  const { profileId = now.profile.id } = request;
  const same = profileId === now.profile.id;
  const base = same ? now : heads.fresh(profileId);
  if (!base) {
    const known = heads.profiles().map(({ id }) => id);
    throw new ToolFailure(
      `there is no profile ${profileId.slice(0, 80)}. The profiles are: ${known.join(', ')}.`,
    );
  }
  const { profile } = base;
  const head = agentHead(base, parent.tools.tools);
  const limit = profile.subagentMaxIterations;
  // Where the profile names no model, another one than the parent's would only cost a load.
  const parentsModel = profile.models.length === 0 ? parent.setting.lease.model.name : null;
  return {
    profile: {
      ...profile,
      tools: head.tools.map(({ name }) => name),
      maxIterations: Math.min(request.maxIterations ?? limit, limit),
      // A model does not choose its way past the questions that the person wants to be asked.
      approvals: stricterPolicy(now.profile.approvals, profile.approvals),
    },
    head,
    toolsets: base.toolsets,
    think: base.think,
    maxOutputTokens: now.maxOutputTokens ?? null,
    pinnedModel: (same ? now.pinnedModel : null) ?? parentsModel,
  };
}

/** The profile's exact head, so that the engine's cache is shared, unless it has something of its own for subagents. */
function agentHead({ profile, head }: HeadInForce, tools: ReadonlyMap<string, Tool>): PromptHead {
  const prompt = profile.subagentPrompt.trim();
  if (prompt === '' && profile.subagentTools.length === 0) return head;
  const listed = profile.subagentTools.length > 0 ? profile.subagentTools : profile.tools;
  const offered = listed.filter((name) => !parentsTools.has(name));
  return {
    system: prompt === '' ? head.system : prompt,
    tools: buildHead({ ...profile, tools: offered }, '', tools).tools,
  };
}
