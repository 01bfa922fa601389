/** The flags of a profile, each a row with its default and one line of help. */
import { useId, type ReactNode } from 'react';
import type { Profile, ProfileChanges } from '../../../protocol/model.ts';
import type { ToolFacts } from '../../../protocol/profile-methods.ts';
import { profiles, profiles as words, settings, settings as text } from '../../text.ts';
import { number } from '../../formats.ts';
import { useHost } from '../../stores/stores.ts';
import {
  figures,
  isChanged,
  parseFigure,
  resetOf,
  switches,
  type Figure,
  type FigureId,
  type FlagRowId,
} from './profile-flags.ts';
import { Segments, Switch, TypedField, type Segment } from './controls.tsx';
import { RowWords } from './pane-parts.tsx';
import { withTool } from './profile-head.ts';
import { ToolChoice, toolNames } from './profile-tools.tsx';
import { Button } from '../../components/button.tsx';
import styles from './profiles.module.css';

export interface FlagsProps {
  profile: Profile;
  /** null = not answered yet. */
  tools?: ToolFacts[] | null;
  /** Named levels of thinking that its model has. */
  levels?: readonly string[];
  onChange: (changes: ProfileChanges) => void;
}

export function Flag({ row, ...flags }: FlagsProps & { row: FlagRowId }) {
  const { profile, tools = null, levels = [], onChange } = flags;
  const changed = isChanged(row, profile);
  const onReset = (): void => onChange(resetOf(row, profile));
  switch (row.kind) {
    case 'switch':
      return <SwitchRow {...flags} row={row} changed={changed} onReset={onReset} />;
    case 'figure':
      return <FigureRow {...flags} id={row.id} changed={changed} onReset={onReset} />;
    case 'words':
      return <WordsRow {...flags} id={row.id} required={row.id === 'name' ? text.invalid.empty : null} />;
    case 'approvals':
      return (
        <ChoiceRow
          id="approvals"
          value={profile.approvals}
          labels={text.approvalChoices}
          {...{ changed, onReset }}
          onChoose={(approvals) => onChange({ approvals })}
        />
      );
    case 'think':
      return (
        <ChoiceRow
          id="think"
          fromModel
          value={profile.think === undefined ? 'own' : String(profile.think)}
          labels={thinkLabels(profile, levels)}
          {...{ changed, onReset }}
          onChoose={(value) => onChange({ think: thinkOf(value) })}
        />
      );
    case 'calls':
      return (
        <ChoiceRow
          id="calls"
          value={profile.calls}
          labels={text.callChoices}
          {...{ changed, onReset }}
          onChoose={(calls) => onChange({ calls })}
        />
      );
    case 'subagentTools':
      return <SubagentTools profile={profile} tools={tools} onChange={onChange} />;
  }
}

interface Resets {
  changed: boolean;
  onReset: () => void;
}

type SwitchRowProps = FlagsProps & Resets & { row: FlagRowId & { kind: 'switch' } };

function SwitchRow({ profile, row, changed, onChange, onReset }: SwitchRowProps) {
  const { id, figure } = row;
  const usual = switches[id] ? text.on : text.off;
  const back = figure ? `${usual}, ${figureWords(figures[figure].defaultValue)}` : usual;
  return (
    <FlagRow
      id={id}
      range={figure ? rangeWords(figures[figure]) : null}
      reset={changed ? text.resetTo(back) : null}
      onReset={onReset}
    >
      {(helpId) => (
        <span className={styles.ctl}>
          {figure && <FigureField profile={profile} id={figure} helpId={helpId} onChange={onChange} />}
          <Switch
            label={text.flags[id].label}
            describedBy={helpId}
            on={profile[id]}
            onChange={(on) => onChange({ [id]: on })}
          />
        </span>
      )}
    </FlagRow>
  );
}

function FigureRow({ profile, id, changed, onChange, onReset }: FlagsProps & Resets & { id: FigureId }) {
  const { defaultValue } = figures[id];
  const back = defaultValue === null ? text.reset : text.resetTo(figureWords(defaultValue));
  return (
    <FlagRow
      id={id}
      fromModel={defaultValue === null}
      range={rangeWords(figures[id])}
      reset={changed ? back : null}
      onReset={onReset}
    >
      {(helpId) => <FigureField profile={profile} id={id} helpId={helpId} onChange={onChange} />}
    </FlagRow>
  );
}

function FigureField({ profile, id, helpId, onChange }: FlagsProps & { id: FigureId; helpId: string }) {
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
  return value === null ? '' : number(value);
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

interface ChoiceRowProps<T extends string> extends Resets {
  id: 'approvals' | 'calls' | 'think';
  fromModel?: boolean;
  value: T;
  /** In the order shown. */
  labels: Readonly<Record<T, string>>;
  onChoose: (value: T) => void;
}

/** One of a few. */
function ChoiceRow<T extends string>(props: ChoiceRowProps<T>) {
  const { id, fromModel = false, value, labels, changed, onReset, onChoose } = props;
  const segments = (Object.entries(labels) as [T, string][]).map(([each, label]): Segment<T> => ({
    value: each,
    label,
  }));
  return (
    <FlagRow id={id} fromModel={fromModel} reset={changed ? text.reset : null} onReset={onReset}>
      {(helpId) => (
        <Segments
          label={text.flags[id].label}
          describedBy={helpId}
          value={value}
          segments={segments}
          onChoose={onChoose}
        />
      )}
    </FlagRow>
  );
}

/** With the levels of the model, and one that the profile names though its model does not have it. */
function thinkLabels({ think }: Profile, levels: readonly string[]): Record<string, string> {
  const { own, on, off } = text.thinkChoices;
  const named = typeof think === 'string' ? [...levels, think] : levels;
  return { own, true: on, false: off, ...Object.fromEntries(named.map((level) => [level, level])) };
}

function thinkOf(value: string): ProfileChanges['think'] {
  if (value === 'own') return null;
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

type WordsRowProps = FlagsProps & { id: 'name' | 'description'; required: string | null };

function WordsRow({ profile, id, required, onChange }: WordsRowProps) {
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
    <div className={`${styles.flag} ${styles.wideControl}`} data-row={id}>
      <RowWords {...{ label, help, helpId }} />
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

interface SubagentToolsProps {
  profile: Profile;
  tools: ToolFacts[] | null;
  onChange: (changes: ProfileChanges) => void;
}

/** The profile's own tools, or a choice of them; a profile says the first by naming none. */
function SubagentTools({ profile, tools, onChange }: SubagentToolsProps) {
  const { label } = text.flags.subagentTools;
  const { subagentTools: chosen } = profile;
  const names = toolNames(tools, profile.tools, chosen);
  const choose = (subagentTools: string[]): void => onChange({ subagentTools });
  return (
    <>
      <FlagRow id="subagentTools" reset={chosen.length === 0 ? null : text.reset} onReset={() => choose([])}>
        {(helpId) => (
          <Segments
            label={label}
            describedBy={helpId}
            value={chosen.length === 0 ? 'same' : 'own'}
            segments={[
              { value: 'same', label: text.toolChoices.same },
              { value: 'own', label: text.toolChoices.own, disabled: profile.tools.length === 0 },
            ]}
            onChoose={(value) => choose(value === 'same' ? [] : profile.tools)}
          />
        )}
      </FlagRow>
      {chosen.length > 0 && (
        <fieldset className={styles.toolChoice} aria-label={label}>
          <ToolChoice
            facts={tools}
            names={names}
            chosen={chosen}
            // None would mean the profile's own again.
            fixed={chosen.length === 1 ? (chosen[0] ?? null) : null}
            onToggle={(name) => choose(withTool(chosen, name, names))}
          />
        </fieldset>
      )}
    </>
  );
}

interface FlagRowProps {
  id: keyof typeof settings.flags;
  /** What it may be, in words; null = the control shows that itself. */
  range?: string | null;
  /** Left out, it is the model's own; else it has a default. */
  fromModel?: boolean;
  /** What the way back is called; null = it is at its default. */
  reset?: string | null;
  onReset: () => void;
  /** The control; it gets the id of the help line for its `aria-describedby`. */
  children: (helpId: string) => ReactNode;
}

/** Label and one line of help, control, default. One that differs from its default is marked at its edge. */
function FlagRow(props: FlagRowProps) {
  const { id, range = null, fromModel = false, reset = null, onReset, children } = props;
  const helpId = useId();
  const { label, help } = settings.flags[id];
  return (
    <div className={reset === null ? styles.flag : `${styles.flag} ${styles.isChanged}`}>
      <div className="min-0">
        <p>
          {label}
          {reset !== null && <span className="sr-only"> {profiles.changedMark}</span>}
        </p>
        <p className="meta" id={helpId}>
          {help}
          {range !== null && <span className="sr-only"> {range}</span>}
        </p>
      </div>
      {children(helpId)}
      <span className={`meta ${styles.def}`}>
        {reset === null ? (
          fromModel ? (
            settings.fromModel
          ) : (
            settings.isDefault
          )
        ) : (
          <Button kind="quiet" small icon="undo" onClick={onReset}>
            {reset}
          </Button>
        )}
        {range !== null && (
          <span className="block num" aria-hidden="true">
            {range}
          </span>
        )}
      </span>
    </div>
  );
}
