/** What of a profile is not at its default, in words. Pure. */
import type { Profile } from '../../../protocol/model.ts';
import { settings } from '../../text.ts';
import {
  defaultApprovals,
  defaultCalls,
  figures,
  groups,
  isChanged,
  switches,
  type Figure,
  type FigureId,
} from './profile-flags.ts';
import { plainWords, thinkWords } from './profile-words.ts';

export interface Difference {
  id: string;
  label: string;
  value: string;
  usual: string;
}

export function differences(profile: Profile): Difference[] {
  const rows = groups.flatMap((group) => group.rows).filter((row) => isChanged(row, profile));
  return rows.flatMap((row): Difference[] => {
    switch (row.kind) {
      case 'switch': {
        const own = {
          id: row.id,
          ...words(row.id, plainWords(profile[row.id]), plainWords(switches[row.id])),
        };
        const changed = profile[row.id] !== switches[row.id];
        return [...(changed ? [own] : []), ...(row.figure ? figureRow(row.figure, profile) : [])];
      }
      case 'figure':
        return figureRow(row.id, profile);
      case 'words':
        return [];
      case 'approvals': {
        const choices = settings.approvalChoices;
        return [{ id: row.kind, ...words(row.kind, choices[profile.approvals], choices[defaultApprovals]) }];
      }
      case 'think':
        return [{ id: row.kind, ...words(row.kind, thinkWords(profile.think), thinkWords(undefined)) }];
      case 'calls': {
        const choices = settings.callChoices;
        return [{ id: row.kind, ...words(row.kind, choices[profile.calls], choices[defaultCalls]) }];
      }
      case 'subagentTools':
        return [
          { id: row.kind, ...words(row.kind, profile.subagentTools.join(', '), settings.toolChoices.same) },
        ];
    }
  });
}

function words(id: keyof typeof settings.flags, value: string, usual: string): Omit<Difference, 'id'> {
  return { label: settings.flags[id].label, value, usual };
}

function figureRow(id: FigureId, profile: Profile): Difference[] {
  const figure: Figure = figures[id];
  const value = figure.read(profile);
  if (value === figure.defaultValue) return [];
  return [{ id, ...words(id, figureWords(figure, value), figureWords(figure, figure.defaultValue)) }];
}

function figureWords({ unit }: Figure, value: number | null): string {
  if (value === null) return settings.fromModel;
  const number = Number.isInteger(value) ? plainWords(value) : String(value);
  return unit === null ? number : `${number} ${settings.units[unit]}`;
}
