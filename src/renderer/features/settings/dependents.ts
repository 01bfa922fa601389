/** Who uses a model: what deleting it would leave without one. Pure. */
import type { ModelDetails, Profile, SessionSummary } from '../../../protocol/model.ts';

export type Dependent = ModelDetails['dependents'][number];

/** Profiles and sessions as the window knows them, what the engine knows besides. */
export function dependentsOf(
  model: string,
  { profiles, sessions }: { profiles: Profile[]; sessions: SessionSummary[] },
  engine: Dependent[],
): Dependent[] {
  const same = (name: string | null): boolean =>
    name !== null && withTag(name.toLowerCase()) === withTag(model.toLowerCase());
  return [
    ...profiles
      .filter(({ models }) => models.some(same))
      .map(({ name }) => ({ kind: 'profile' as const, name })),
    ...sessions
      .filter((session) => same(session.model))
      .map(({ title }) => ({ kind: 'session' as const, name: title })),
    ...engine.filter(({ kind }) => kind === 'loaded' || kind === 'tag'),
  ];
}

/** Ollama adds the tag by itself. */
function withTag(name: string): string {
  return name.includes(':') ? name : `${name}:latest`;
}
