/**
 * Which head a session sends, and which of its tools each model is shown. Its bytes are kept with the session as long as persona and profile stay as they were, so
 * an update of Andiron does not make a running session read everything again.
 */
import { hashOfText } from '../../platform/text-hash.ts';
import type { ModelInfo, Profile } from '../../protocol/model.ts';
import type { ModelKnowledge, Toolset, Toolsets } from '../loop/deps.ts';
import { buildHead } from '../prompt/head.ts';
import type { PromptHead } from '../providers/provider.ts';
import type { FrozenHead, SessionStore } from '../store/sessions.ts';
import type { Tool } from '../tools/tool.ts';

export interface ProfileSource {
  /** The profile, or the one that stands in for a profile that is gone. */
  resolve(profileId: string): Profile;
  list(): Profile[];
  persona(): string;
  /** The profile as that session may use it; absent = whole. */
  allowed?(sessionId: string, profile: Profile): { profile: Profile; maxOutputTokens: number | null };
  /** Ids of those that a model may choose from in that session; null = all. Absent = all. */
  choosable?(sessionId: string): readonly string[] | null;
}

export interface HeadInForce {
  profile: Profile;
  head: PromptHead;
  toolsets: Toolsets;
  /** Fixed with the head: on some families it is a part of it. undefined = left out. */
  think: boolean | string | undefined;
  /** Of one reply; absent = as many as the context has room for. */
  maxOutputTokens?: number | null;
}

/** What else decides how a prompt begins, as what the model can do, is the same for all. */
export function headIdOf({ head, profile, toolsets, think }: HeadInForce, model: ModelInfo): string {
  const parts = [model.digest, head.system, head.tools, profile.calls, toolsets.of(model), think ?? null];
  return hashOfText(JSON.stringify(parts));
}

export type HeadSource = ReturnType<typeof createHeadSource>;

export function createHeadSource(
  store: Pick<SessionStore, 'getHead' | 'setHead'>,
  profiles: ProfileSource,
  tools: ReadonlyMap<string, Tool>,
  models: Pick<ModelKnowledge, 'holds'>,
) {
  const toolsetNow = (model: ModelInfo): Toolset => (models.holds(model, 'planning') ? 'full' : 'core');
  const frozen = (sessionId: string, profile: Profile): FrozenHead => {
    const fresh: FrozenHead = {
      profileId: profile.id,
      head: buildHead(profile, profiles.persona(), tools),
      think: profile.think ?? null,
      toolsets: {},
    };
    const known = store.getHead(sessionId);
    if (known && sameSource(known, fresh)) return known;
    store.setHead(sessionId, fresh);
    return fresh;
  };

  const fresh = (profileId: string): HeadInForce | undefined => {
    const profile = profiles.list().find(({ id }) => id === profileId);
    return (
      profile && {
        profile,
        head: buildHead(profile, profiles.persona(), tools),
        toolsets: { of: toolsetNow, keep: () => undefined },
        think: profile.think,
      }
    );
  };

  return {
    profiles: (): Profile[] => profiles.list(),
    /** As a new session of that profile would begin, kept nowhere; undefined = there is no such profile. */
    fresh,
    /** What a model may choose from in that session, for itself and for subagents. */
    choosable(sessionId: string) {
      // Looked up when it is asked for: a turn that begins as the disk fails must end by its own rules.
      const there = (): Profile[] => {
        const ids = profiles.choosable?.(sessionId) ?? null;
        return profiles.list().filter(({ id }) => ids === null || ids.includes(id));
      };
      return {
        profiles: there,
        fresh: (profileId: string) =>
          there().some(({ id }) => id === profileId) ? fresh(profileId) : undefined,
      };
    },
    /** For one turn: a switch takes effect at once, a changed file at the next turn. */
    forTurn(sessionId: string): (profileId: string) => HeadInForce {
      let current: FrozenHead | undefined;
      const toolsetsUnder = (profileId: string): Toolsets => {
        const inForce = () => (current?.profileId === profileId ? current : undefined);
        return {
          of(model) {
            const now = inForce();
            return now && !now.toolsets ? 'full' : (now?.toolsets?.[model.digest] ?? toolsetNow(model));
          },
          keep(model) {
            const now = inForce();
            if (!now?.toolsets || Object.hasOwn(now.toolsets, model.digest)) return;
            current = { ...now, toolsets: { ...now.toolsets, [model.digest]: toolsetNow(model) } };
            store.setHead(sessionId, current);
          },
        };
      };
      return (profileId) => {
        const whole = profiles.resolve(profileId);
        const { profile, maxOutputTokens } = profiles.allowed?.(sessionId, whole) ?? {
          profile: whole,
          maxOutputTokens: null,
        };
        if (current?.profileId !== profile.id) current = frozen(sessionId, profile);
        const { head, think } = current;
        return {
          profile,
          head,
          toolsets: toolsetsUnder(profile.id),
          think: think ?? undefined,
          maxOutputTokens,
        };
      };
    },
  };
}

/** Made from the same texts by the same person. How Andiron words its tools is not part of that. */
function sameSource(a: FrozenHead, b: FrozenHead): boolean {
  return sourceOf(a) === sourceOf(b);
}

function sourceOf({ profileId, head, think }: FrozenHead): string {
  return JSON.stringify([profileId, head.system, head.tools.map((tool) => tool.name), think]);
}
