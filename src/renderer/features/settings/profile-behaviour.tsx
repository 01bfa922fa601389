/** The flags of a profile, each a row with its default and one line of help (design 11). */
import { useId } from 'react';
import type { ApprovalPolicy, Profile, ProfileChanges } from '../../../protocol/model.ts';
import { settings as text } from '../../../text/en/settings.ts';
import { count } from '../../../text/format.ts';
import { FlagRow } from './flag-row.tsx';
import { changedFlags, defaultApprovals, figures, parseFigure, type Figure } from './profile-flags.ts';
import { Segments, type Segment } from './segments.tsx';
import { TypedField } from './typed-field.tsx';

interface RowsProps {
  profile: Profile;
  onChange: (changes: ProfileChanges) => void;
}

export function ProfileBehaviour({ thinkingValues, ...rows }: RowsProps & { thinkingValues: string[] }) {
  return (
    <section aria-label={text.profiles.behaviour}>
      <h3>
        {text.profiles.behaviour}
        <span className="meta">{text.profiles.changed(changedFlags(rows.profile))}</span>
      </h3>
      <ApprovalsRow {...rows} />
      <FigureRow {...rows} figure={figures.maxIterations} />
      <ThinkRow {...rows} levels={thinkingValues} />
      <FigureRow {...rows} figure={figures.contextTokens} />
      <FigureRow {...rows} figure={figures.temperature} />
      <FigureRow {...rows} figure={figures.firstTokenTimeoutS} />
      <FigureRow {...rows} figure={figures.idleTokenTimeoutS} />
      <WordsRow {...rows} id="name" required={text.invalid.empty} />
      <WordsRow {...rows} id="description" required={null} />
    </section>
  );
}

function FigureRow({ profile, figure, onChange }: RowsProps & { figure: Figure }) {
  const { label, help } = text.flags[figure.id];
  const helpId = useId();
  const value = figure.read(profile);
  const change = (next: number | null): void => onChange(figure.change(profile, next));
  const own = figure.defaultValue === null;
  return (
    <FlagRow
      label={label}
      help={help}
      helpId={helpId}
      isDefault={own ? text.fromModel : text.isDefault}
      reset={
        value === figure.defaultValue
          ? null
          : own
            ? text.reset
            : text.resetTo(figureWords(figure.defaultValue))
      }
      onReset={() => change(figure.defaultValue)}
    >
      <TypedField
        label={label}
        value={figureWords(value)}
        describedBy={helpId}
        look={figure.unit === 'tokens' ? 'wide-figure' : 'figure'}
        decimal={!figure.whole}
        unit={figure.unit && text.units[figure.unit]}
        check={(typed) => (parseFigure(figure, typed) === undefined ? limits(figure) : null)}
        onTake={(typed) => change(parseFigure(figure, typed) ?? null)}
      />
    </FlagRow>
  );
}

function figureWords(value: number | null): string {
  if (value === null) return '';
  return Number.isInteger(value) ? count(value) : String(value);
}

function limits({ whole, min, max }: Figure): string {
  return whole ? text.invalid.whole(min, max) : text.invalid.number(min, max ?? Number.MAX_SAFE_INTEGER);
}

const policies: ApprovalPolicy[] = ['auto_read', 'ask'];

function ApprovalsRow({ profile, onChange }: RowsProps) {
  const { label, help } = text.flags.approvals;
  const helpId = useId();
  return (
    <FlagRow
      label={label}
      help={help}
      helpId={helpId}
      isDefault={text.isDefault}
      reset={profile.approvals === defaultApprovals ? null : text.reset}
      onReset={() => onChange({ approvals: defaultApprovals })}
    >
      <Segments
        label={label}
        describedBy={helpId}
        value={profile.approvals}
        segments={policies.map((value) => ({ value, label: text.approvalChoices[value] }))}
        onChoose={(approvals) => onChange({ approvals })}
      />
    </FlagRow>
  );
}

/** Stands for a profile that leaves it to the model. Never a level's name. */
const own = '';

function ThinkRow({ profile, levels, onChange }: RowsProps & { levels: string[] }) {
  const { label, help } = text.flags.think;
  const helpId = useId();
  const { think } = profile;
  const extra = typeof think === 'string' && !levels.includes(think) ? [...levels, think] : levels;
  const segments: Segment<string>[] = [
    { value: own, label: text.thinkChoices.own },
    { value: 'true', label: text.thinkChoices.on },
    { value: 'false', label: text.thinkChoices.off },
    ...extra.map((level) => ({ value: level, label: level })),
  ];
  return (
    <FlagRow
      label={label}
      help={help}
      helpId={helpId}
      isDefault={text.fromModel}
      reset={think === undefined ? null : text.reset}
      onReset={() => onChange({ think: null })}
    >
      <Segments
        label={label}
        describedBy={helpId}
        value={think === undefined ? own : String(think)}
        segments={segments}
        onChoose={(value) => onChange({ think: thinkOf(value) })}
      />
    </FlagRow>
  );
}

function thinkOf(value: string): ProfileChanges['think'] {
  if (value === own) return null;
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

function WordsRow({
  profile,
  id,
  required,
  onChange,
}: RowsProps & { id: 'name' | 'description'; required: string | null }) {
  const { label, help } = text.flags[id];
  const helpId = useId();
  return (
    <div className="flag wide-control">
      <div className="min-0">
        <p>{label}</p>
        <p className="meta" id={helpId}>
          {help}
        </p>
      </div>
      <TypedField
        label={label}
        value={profile[id]}
        describedBy={helpId}
        look="words"
        check={(typed) => (typed.trim() === '' ? required : null)}
        onTake={(typed) => onChange({ [id]: typed.trim() })}
      />
    </div>
  );
}
