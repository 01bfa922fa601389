/**
 * What a profile lets a person change, one row each, in groups. Limits and defaults are those of `profile.json`;
 * a test holds them against its schema, which the renderer does not carry.
 */
import type { Profile, ProfileChanges } from '../../../protocol/model.ts';
import { defaultContextTokens } from '../../../protocol/profile-limits.ts';
import { parseNumber } from '../../formats.ts';
import type { settings } from '../../text.ts';

type Flags = keyof typeof settings.flags;
type GroupId = keyof typeof settings.profiles.groups;

/** On or off, with what it is where the profile says nothing. */
export const switches = {
  planningEnabled: false,
  planningPhase2Enabled: false,
  planningMandatory: false,
  stepValidationEnabled: false,
  adaptiveReplanEnabled: false,
  iterationBudgetEnabled: true,
  goalAnchoringEnabled: true,
  antiStallEnabled: true,
  subagentPlanningEnabled: false,
  memoryEnabled: true,
} as const satisfies Partial<Record<Flags & keyof Profile, boolean>>;
type SwitchId = keyof typeof switches;

export interface Figure {
  id: FigureId;
  /** In the unit that is shown. null = left out: the model's own. */
  defaultValue: number | null;
  /** null = no limit. */
  min: number | null;
  max: number | null;
  whole: boolean;
  unit: keyof typeof settings.units | null;
  read: (profile: Profile) => number | null;
  change: (profile: Profile, value: number | null) => ProfileChanges;
}

type PlainId =
  | 'maxIterations'
  | 'contextTokens'
  | 'firstTokenTimeoutS'
  | 'idleTokenTimeoutS'
  | 'goalAnchoringInterval'
  | 'antiStallThreshold'
  | 'subagentMaxIterations'
  | 'subagentTimeoutS'
  | 'keepRecentTurns';
type SamplingId = 'temperature' | 'top_p' | 'top_k' | 'seed';
export type FigureId = PlainId | SamplingId | 'compactAt';

function plain(
  id: PlainId,
  defaultValue: number,
  min: number,
  max: number | null,
  unit: Figure['unit'],
): Figure {
  return {
    id,
    defaultValue,
    min,
    max,
    whole: true,
    unit,
    read: (profile) => profile[id],
    // These cannot be left out, so nothing means their default.
    change: (_, value) => ({ [id]: value ?? defaultValue }),
  };
}

/** Of the sampling only what is named; the rest is the model's own. */
function sampled(id: SamplingId, { min, max, whole }: Pick<Figure, 'min' | 'max' | 'whole'>): Figure {
  return {
    id,
    defaultValue: null,
    min,
    max,
    whole,
    unit: null,
    read: ({ sampling }) => sampling[id] ?? null,
    change({ sampling }, value) {
      const { [id]: _old, ...others } = sampling;
      return { sampling: value === null ? others : { ...others, [id]: value } };
    },
  };
}

/** Stored as a share of the window, shown in percent. */
const compactAt: Figure = {
  id: 'compactAt',
  defaultValue: 75,
  min: 0,
  max: 95,
  whole: true,
  unit: 'percent',
  read: (profile) => Math.round(profile.compactAt * 100),
  change: (_, value) => ({ compactAt: (value ?? 75) / 100 }),
};

export const figures = {
  maxIterations: plain('maxIterations', 20, 1, 200, null),
  contextTokens: plain('contextTokens', defaultContextTokens, 2048, null, 'tokens'),
  temperature: sampled('temperature', { min: 0, max: 5, whole: false }),
  top_p: sampled('top_p', { min: 0, max: 1, whole: false }),
  top_k: sampled('top_k', { min: 0, max: null, whole: true }),
  seed: sampled('seed', { min: null, max: null, whole: true }),
  firstTokenTimeoutS: plain('firstTokenTimeoutS', 120, 1, null, 'seconds'),
  idleTokenTimeoutS: plain('idleTokenTimeoutS', 60, 1, null, 'seconds'),
  goalAnchoringInterval: plain('goalAnchoringInterval', 5, 0, null, null),
  antiStallThreshold: plain('antiStallThreshold', 8, 1, null, null),
  subagentMaxIterations: plain('subagentMaxIterations', 40, 1, 200, null),
  subagentTimeoutS: plain('subagentTimeoutS', 300, 1, null, 'seconds'),
  compactAt,
  keepRecentTurns: plain('keepRecentTurns', 8, 1, null, 'turns'),
} as const satisfies Record<FigureId, Figure>;

export const defaultApprovals = 'auto_read';
export const defaultCalls = 'auto';

/** One row. A switch may have the figure that it switches beside it. */
export type FlagRowId =
  | { kind: 'switch'; id: SwitchId; figure?: FigureId }
  | { kind: 'figure'; id: FigureId }
  | { kind: 'words'; id: 'name' | 'description' }
  | { kind: 'approvals' | 'think' | 'calls' | 'subagentTools' };

const toggle = (id: SwitchId, figure?: FigureId): FlagRowId => ({
  kind: 'switch',
  id,
  ...(figure && { figure }),
});
const figure = (id: FigureId): FlagRowId => ({ kind: 'figure', id });

/** The tabs of a profile that have flags. */
export type FlagPage = 'prompts' | 'tools' | 'model' | 'limits' | 'advanced';

export interface FlagGroup {
  id: GroupId;
  page: FlagPage;
  rows: FlagRowId[];
}

export const groups: FlagGroup[] = [
  {
    id: 'about',
    page: 'prompts',
    rows: [
      { kind: 'words', id: 'name' },
      { kind: 'words', id: 'description' },
    ],
  },
  { id: 'tools', page: 'tools', rows: [{ kind: 'approvals' }, { kind: 'calls' }] },
  { id: 'window', page: 'model', rows: [figure('contextTokens')] },
  {
    id: 'sampling',
    page: 'model',
    rows: [{ kind: 'think' }, figure('temperature'), figure('top_p'), figure('top_k'), figure('seed')],
  },
  {
    id: 'limits',
    page: 'limits',
    rows: [
      figure('maxIterations'),
      figure('firstTokenTimeoutS'),
      figure('idleTokenTimeoutS'),
      figure('subagentMaxIterations'),
      figure('subagentTimeoutS'),
    ],
  },
  {
    id: 'planning',
    page: 'advanced',
    rows: [
      toggle('planningEnabled'),
      toggle('planningPhase2Enabled'),
      toggle('planningMandatory'),
      toggle('stepValidationEnabled'),
      toggle('adaptiveReplanEnabled'),
    ],
  },
  {
    id: 'steering',
    page: 'advanced',
    rows: [
      toggle('iterationBudgetEnabled'),
      toggle('goalAnchoringEnabled', 'goalAnchoringInterval'),
      toggle('antiStallEnabled', 'antiStallThreshold'),
    ],
  },
  { id: 'subagents', page: 'advanced', rows: [toggle('subagentPlanningEnabled'), { kind: 'subagentTools' }] },
  {
    id: 'memory',
    page: 'advanced',
    rows: [figure('compactAt'), figure('keepRecentTurns'), toggle('memoryEnabled')],
  },
];

export const groupsOn = (page: string): FlagGroup[] => groups.filter((group) => group.page === page);

/** The rows of the groups of a page, as one list. */
export const rowsOn = (page: FlagPage): FlagRowId[] => groupsOn(page).flatMap(({ rows }) => rows);

/** What each shows of a profile that is not at its default; groups without such a row are left out. */
export function changedGroups(profile: Profile): FlagGroup[] {
  return groups
    .map((group) => ({ ...group, rows: group.rows.filter((row) => isChanged(row, profile)) }))
    .filter(({ rows }) => rows.length > 0);
}

/** The keys of `profile.json` that a row changes. */
export function keysOf(row: FlagRowId): (keyof ProfileChanges)[] {
  switch (row.kind) {
    case 'switch':
      return row.figure ? [row.id, figureKey(row.figure)] : [row.id];
    case 'figure':
      return [figureKey(row.id)];
    case 'words':
      return [row.id];
    case 'approvals':
    case 'think':
    case 'calls':
    case 'subagentTools':
      return [row.kind];
  }
}

const samplingIds: readonly string[] = ['temperature', 'top_p', 'top_k', 'seed'] satisfies SamplingId[];

function figureKey(id: FigureId): keyof ProfileChanges {
  return isSampling(id) ? 'sampling' : id;
}

const isSampling = (id: FigureId): id is SamplingId => samplingIds.includes(id);

/** Whether a row differs from what `profile.json` means where it says nothing. */
export function isChanged(row: FlagRowId, profile: Profile): boolean {
  switch (row.kind) {
    case 'switch':
      return (
        profile[row.id] !== switches[row.id] ||
        (row.figure !== undefined && isFigureChanged(row.figure, profile))
      );
    case 'figure':
      return isFigureChanged(row.id, profile);
    case 'words':
      // They have no default to go back to.
      return false;
    case 'approvals':
      return profile.approvals !== defaultApprovals;
    case 'think':
      return profile.think !== undefined;
    case 'calls':
      return profile.calls !== defaultCalls;
    case 'subagentTools':
      return profile.subagentTools.length > 0;
  }
}

function isFigureChanged(id: FigureId, profile: Profile): boolean {
  const { read, defaultValue } = figures[id];
  return read(profile) !== defaultValue;
}

/** How many rows of some groups differ from their defaults. */
export function changedFlags(profile: Profile, among = groups): number {
  return among.flatMap(({ rows }) => rows).filter((row) => isChanged(row, profile)).length;
}

/** The change that brings a row back to its default. */
export function resetOf(row: FlagRowId, profile: Profile): ProfileChanges {
  const figureOf = (id: FigureId): ProfileChanges => figures[id].change(profile, figures[id].defaultValue);
  switch (row.kind) {
    case 'switch':
      return { ...(row.figure && figureOf(row.figure)), [row.id]: switches[row.id] };
    case 'figure':
      return figureOf(row.id);
    case 'words':
      return {};
    case 'approvals':
      return { approvals: defaultApprovals };
    case 'think':
      return { think: null };
    case 'calls':
      return { calls: defaultCalls };
    case 'subagentTools':
      return { subagentTools: [] };
  }
}

/** The same of every row. */
export function resetAll(profile: Profile): ProfileChanges {
  const changes: ProfileChanges = {};
  for (const row of changedGroups(profile).flatMap(({ rows }) => rows)) {
    // Several rows share the sampling: each begins with what the one before has left.
    const { sampling = profile.sampling } = changes;
    Object.assign(changes, resetOf(row, { ...profile, sampling }));
  }
  return changes;
}

/** Typed text → a figure. `undefined` = not one that the figure takes. */
export function parseFigure(figure: Figure, typed: string): number | null | undefined {
  if (typed.trim() === '') return figure.defaultValue === null ? null : undefined;
  const value = parseNumber(typed);
  if (value === null || (figure.whole && !Number.isSafeInteger(value))) return undefined;
  const { min, max } = figure;
  return (min !== null && value < min) || (max !== null && value > max) ? undefined : value;
}
