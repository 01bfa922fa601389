/**
 * The figures of a profile that a person can change, one row each. Limits and defaults are those of `profile.json`;
 * a test holds them against its schema, which the renderer does not carry (design 2).
 */
import type { Profile, ProfileChanges } from '../../../protocol/model.ts';

export type FigureId =
  'maxIterations' | 'contextTokens' | 'temperature' | 'firstTokenTimeoutS' | 'idleTokenTimeoutS';

export interface Figure {
  id: FigureId;
  /** null = left out: the model's own. */
  defaultValue: number | null;
  min: number;
  max: number | null;
  whole: boolean;
  unit: 'tokens' | 'seconds' | null;
  read: (profile: Profile) => number | null;
  change: (profile: Profile, value: number | null) => ProfileChanges;
}

type PlainId = Exclude<FigureId, 'temperature'>;

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

const temperature: Figure = {
  id: 'temperature',
  defaultValue: null,
  min: 0,
  max: 5,
  whole: false,
  unit: null,
  read: ({ sampling }) => sampling.temperature ?? null,
  change({ sampling }, value) {
    const { temperature: _old, ...others } = sampling;
    return { sampling: value === null ? others : { ...others, temperature: value } };
  },
};

export const figures = {
  maxIterations: plain('maxIterations', 20, 1, 200, null),
  contextTokens: plain('contextTokens', 16_384, 2048, null, 'tokens'),
  temperature,
  firstTokenTimeoutS: plain('firstTokenTimeoutS', 120, 1, null, 'seconds'),
  idleTokenTimeoutS: plain('idleTokenTimeoutS', 60, 1, null, 'seconds'),
} as const satisfies Record<FigureId, Figure>;

export const defaultApprovals = 'auto_read';

/** How many rows differ from what `profile.json` means where it says nothing. */
export function changedFlags(profile: Profile): number {
  const changed = Object.values(figures).filter((figure) => figure.read(profile) !== figure.defaultValue);
  return (
    changed.length + Number(profile.approvals !== defaultApprovals) + Number(profile.think !== undefined)
  );
}

/** Typed text → a figure. `undefined` = not one that the figure takes. Thousands may be separated by commas. */
export function parseFigure(figure: Figure, typed: string): number | null | undefined {
  const text = typed.trim().replaceAll(/(?<=\d),(?=\d{3}\b)/g, '');
  if (text === '') return figure.defaultValue === null ? null : undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  if (figure.whole && !Number.isSafeInteger(value)) return undefined;
  if (value < figure.min || (figure.max !== null && value > figure.max)) return undefined;
  return value;
}
