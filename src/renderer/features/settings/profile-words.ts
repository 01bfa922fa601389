/** Flags of a profile and their values as a person reads them. */
import type { Profile, ProfileChanges } from '../../../protocol/model.ts';
import { profiles as words, settings } from '../../text.ts';
import { count, number, percent } from '../../formats.ts';

const labels: Partial<Record<string, { label: string }>> = settings.flags;

export function flagLabel(key: keyof ProfileChanges): string {
  if (key === 'models') return settings.profiles.models;
  if (key === 'tools') return settings.profiles.tools;
  if (key === 'sampling') return settings.profiles.groups.sampling;
  return labels[key]?.label ?? key;
}

export function flagValue(profile: Profile, key: keyof ProfileChanges): string {
  const inWords = valueWords[key];
  if (inWords) return inWords(profile);
  const value = profile[key];
  return typeof value === 'object' || value === undefined ? '' : plainWords(value);
}

/** Those that are more than a figure, a switch or a text. */
const valueWords: Partial<Record<keyof ProfileChanges, (profile: Profile) => string>> = {
  tools: ({ tools }) => words.file.tools(tools.length),
  subagentTools: ({ subagentTools }) => words.file.tools(subagentTools.length),
  models: ({ models }) => models.join(', ') || settings.profiles.modelsAny,
  think: ({ think }) => thinkWords(think),
  approvals: ({ approvals }) => settings.approvalChoices[approvals],
  calls: ({ calls }) => settings.callChoices[calls],
  compactAt: ({ compactAt }) => percent(compactAt),
  sampling: ({ sampling }) => samplingWords(sampling),
};

export function plainWords(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? settings.on : settings.off;
  return typeof value === 'number' ? count(value) : value;
}

export function thinkWords(think: Profile['think']): string {
  if (think === undefined) return settings.thinkChoices.own;
  if (typeof think === 'string') return think;
  return think ? settings.thinkChoices.on : settings.thinkChoices.off;
}

function samplingWords(sampling: Profile['sampling']): string {
  const named = Object.entries(sampling).flatMap(([key, value]) =>
    value === undefined ? [] : [`${labels[key]?.label ?? key} ${number(value)}`],
  );
  return named.length === 0 ? settings.fromModel : named.join(', ');
}
