/** Defaults of a profile that a person sets for the whole machine, in the environment of Andiron (H3). */
import type { ProfileFile } from '../../protocol/model.ts';

/** In force where `profile.json` says nothing of it. */
export type ProfileDefaults = Partial<Pick<ProfileFile, 'firstTokenTimeoutS' | 'idleTokenTimeoutS'>>;

const variables = {
  LLM_STREAM_FIRST_CHUNK_TIMEOUT: 'firstTokenTimeoutS',
  LLM_STREAM_CHUNK_TIMEOUT: 'idleTokenTimeoutS',
} as const;

const maxSeconds = 24 * 60 * 60;

/** A variable that is no number of seconds from 1 to a day is left out, with a problem that names it. */
export function defaultsFrom(env: Readonly<Record<string, string | undefined>>): {
  defaults: ProfileDefaults;
  problems: string[];
} {
  const defaults: ProfileDefaults = {};
  const problems: string[] = [];
  for (const [name, key] of Object.entries(variables)) {
    const value = env[name]?.trim() ?? '';
    if (value === '') continue;
    const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (seconds >= 1 && seconds <= maxSeconds) defaults[key] = seconds;
    else {
      problems.push(
        `${name} is "${value.slice(0, 40)}", so it is not used: set it to seconds, from 1 to ${String(maxSeconds)}.`,
      );
    }
  }
  return { defaults, problems };
}
