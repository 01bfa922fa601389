/** The flags of a profile, each a row with its default and one line of help (design 11). */
import { useId } from 'react';
import type { ApprovalPolicy, Profile, ProfileChanges } from '../../../protocol/model.ts';
import type { ToolFacts } from '../../../protocol/profile-methods.ts';
import { profiles as words, settings as text } from '../../text.ts';
import { count } from '../../../text/format.ts';
import { useHost } from '../../stores/stores.ts';
import { FlagRow } from './flag-row.tsx';
import {
  changedFlags,
  defaultApprovals,
  defaultCalls,
  figures,
  groups,
  isChanged,
  keysOf,
  parseFigure,
  switches,
  type Figure,
  type FigureId,
  type FlagRowId,
  type SwitchId,
} from './profile-flags.ts';
import { Segments, type Segment } from './segments.tsx';
import { SubagentTools } from './subagent-tools.tsx';
import { Switch } from './switch.tsx';
import { TypedField } from './typed-field.tsx';

interface RowsProps {
  profile: Profile;
  /** null = not answered yet. */
  tools?: ToolFacts[] | null;
  onChange: (changes: ProfileChanges) => void;
}

export function ProfileBehaviour({ thinkingValues, ...rows }: RowsProps & { thinkingValues: string[] }) {
  return (
    <div className="flag-groups">
      {groups.map((group) => (
        <section key={group.id} aria-label={text.profiles.groups[group.id]}>
          <h3>
            {text.profiles.groups[group.id]}
            <span className="meta">
              {group.id === 'about'
                ? text.profiles.changed(changedFlags(rows.profile))
                : text.profiles.changedHere(changedFlags(rows.profile, [group]))}
            </span>
          </h3>
          {group.rows.map((row) => (
            <Row
              key={row.kind === 'figure' ? row.id : keysOf(row).join()}
              row={row}
              thinkingValues={thinkingValues}
              {...rows}
            />
          ))}
        </section>
      ))}
    </div>
  );
}

function Row({ row, thinkingValues, ...rows }: RowsProps & { row: FlagRowId; thinkingValues: string[] }) {
  switch (row.kind) {
    case 'switch':
      return <SwitchRow {...rows} row={row} />;
    case 'figure':
      return <FigureRow {...rows} figure={figures[row.id]} />;
    case 'words':
      return <WordsRow {...rows} id={row.id} required={row.id === 'name' ? text.invalid.empty : null} />;
    case 'approvals':
      return <ApprovalsRow {...rows} />;
    case 'think':
      return <ThinkRow {...rows} levels={thinkingValues} />;
    case 'calls':
      return <CallsRow {...rows} />;
    case 'subagentTools':
      return <SubagentTools {...rows} tools={rows.tools ?? null} />;
  }
}

function SwitchRow({ profile, row, onChange }: RowsProps & { row: FlagRowId & { kind: 'switch' } }) {
  const { label, help } = text.flags[row.id];
  const helpId = useId();
  const back = (): void => {
    const first = row.figure && figures[row.figure].change(profile, figures[row.figure].defaultValue);
    onChange({ ...first, [row.id]: switches[row.id] });
  };
  return (
    <FlagRow
      label={label}
      help={help}
      helpId={helpId}
      range={row.figure ? rangeWords(figures[row.figure]) : null}
      isDefault={text.isDefault}
      reset={isChanged(row, profile) ? resetWords(row.id, row.figure) : null}
      onReset={back}
    >
      <span className="ctl">
        {row.figure && <FigureField profile={profile} id={row.figure} helpId={helpId} onChange={onChange} />}
        <Switch
          label={label}
          describedBy={helpId}
          on={profile[row.id]}
          onChange={(on) => onChange({ [row.id]: on })}
        />
      </span>
    </FlagRow>
  );
}

function resetWords(id: SwitchId, figure: FigureId | undefined): string {
  const state = switches[id] ? text.on : text.off;
  return text.resetTo(figure ? `${state}, ${figureWords(figures[figure].defaultValue)}` : state);
}

function FigureRow({ profile, figure, onChange }: RowsProps & { figure: Figure }) {
  const { label, help } = text.flags[figure.id];
  const helpId = useId();
  const own = figure.defaultValue === null;
  return (
    <FlagRow
      label={label}
      help={help}
      helpId={helpId}
      range={rangeWords(figure)}
      isDefault={own ? text.fromModel : text.isDefault}
      reset={
        figure.read(profile) === figure.defaultValue
          ? null
          : own
            ? text.reset
            : text.resetTo(figureWords(figure.defaultValue))
      }
      onReset={() => onChange(figure.change(profile, figure.defaultValue))}
    >
      <FigureField profile={profile} id={figure.id} helpId={helpId} onChange={onChange} />
    </FlagRow>
  );
}

function FigureField({ profile, id, helpId, onChange }: RowsProps & { id: FigureId; helpId: string }) {
  const figure: Figure = figures[id];
  return (
    <TypedField
      label={text.flags[id].label}
      value={figureWords(figure.read(profile))}
      describedBy={helpId}
      look={figure.unit === 'tokens' || figure.min === null ? 'wide-figure' : 'figure'}
      decimal={!figure.whole}
      unit={figure.unit && text.units[figure.unit]}
      check={(typed) => (parseFigure(figure, typed) === undefined ? limits(figure) : null)}
      onTake={(typed) => onChange(figure.change(profile, parseFigure(figure, typed) ?? null))}
    />
  );
}

function figureWords(value: number | null): string {
  if (value === null) return '';
  return Number.isInteger(value) ? count(value) : String(value);
}

/** What a figure may be, as it stands beside it. */
function rangeWords({ min, max }: Figure): string {
  if (min === null) return words.anyWhole;
  return max === null ? words.atLeast(figureWords(min)) : words.range(figureWords(min), figureWords(max));
}

/** The same as a refusal. */
function limits({ whole, min, max, defaultValue }: Figure): string {
  if (min === null) return words.invalidAnyWhole;
  if (!whole) return text.invalid.number(min, max ?? Number.MAX_SAFE_INTEGER);
  return defaultValue === null ? words.invalidWholeOrNothing(min, max) : text.invalid.whole(min, max);
}

const policies: ApprovalPolicy[] = ['auto_read', 'ask'];

function ApprovalsRow({ profile, onChange }: RowsProps) {
  return (
    <ChoiceRow
      id="approvals"
      value={profile.approvals}
      defaultValue={defaultApprovals}
      segments={policies.map((value) => ({ value, label: text.approvalChoices[value] }))}
      onChoose={(approvals) => onChange({ approvals })}
    />
  );
}

const waysToCall: Profile['calls'][] = ['auto', 'native', 'constrained'];

function CallsRow({ profile, onChange }: RowsProps) {
  return (
    <ChoiceRow
      id="calls"
      value={profile.calls}
      defaultValue={defaultCalls}
      segments={waysToCall.map((value) => ({ value, label: text.callChoices[value] }))}
      onChoose={(calls) => onChange({ calls })}
    />
  );
}

interface ChoiceRowProps<T extends string> {
  id: 'approvals' | 'calls';
  value: T;
  defaultValue: T;
  segments: Segment<T>[];
  onChoose: (value: T) => void;
}

/** One of a few, with a default that the profile can go back to. */
function ChoiceRow<T extends string>({ id, value, defaultValue, segments, onChoose }: ChoiceRowProps<T>) {
  const { label, help } = text.flags[id];
  const helpId = useId();
  return (
    <FlagRow
      label={label}
      help={help}
      helpId={helpId}
      isDefault={text.isDefault}
      reset={value === defaultValue ? null : text.reset}
      onReset={() => onChoose(defaultValue)}
    >
      <Segments label={label} describedBy={helpId} value={value} segments={segments} onChoose={onChoose} />
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
  const others = useHost((host) => host.profiles).filter((other) => other.id !== profile.id);
  const check = (typed: string): string | null => {
    const wanted = typed.trim().toLowerCase();
    if (wanted === '') return required;
    const taken = id === 'name' && others.some(({ name }) => name.toLowerCase() === wanted);
    return taken ? words.nameTaken : null;
  };
  return (
    <div className="flag wide-control" data-row={id}>
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
        check={check}
        onTake={(typed) => onChange({ [id]: typed.trim() })}
      />
    </div>
  );
}
