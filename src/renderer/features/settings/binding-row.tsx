import { useId } from 'react';
import type { ListedBinding, ListedPersona } from '../../../protocol/inbox-methods.ts';
import type { Profile } from '../../../protocol/model.ts';
import { toolModules, type ToolModule } from '../../../protocol/tools.ts';
import { defaultModules } from '../../../rules/binding.ts';
import { Mark } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import { parseWhole } from '../../formats.ts';
import { bindingsPane as text } from '../../text.ts';
import {
  ActionRow,
  ChoiceRow,
  FailureLine,
  OpeningRow,
  SelectRow,
  SwitchRow,
  TypedRow,
} from './pane-parts.tsx';
import { profileOptions } from './profile-options.ts';
import { useAttempt } from './use-attempt.ts';
import { useRecordChanges } from './use-record-changes.ts';
import peopleStyles from './people.module.css';
import settingsStyles from './settings.module.css';

/** What the rows need to know of everything that can be chosen. */
export interface BindingFacts {
  profiles: readonly Profile[];
  personas: readonly ListedPersona[];
  /** Of the profile that answers where nothing is bound. */
  defaultId: string;
  nameOf: (profileId: string) => string;
  /** There is no such profile any more, so the default one answers. */
  isGone: (profileId: string) => boolean;
  /** It is known that nothing of that name is installed. */
  isMissing: (model: string) => boolean;
  /** The model that would answer now; null = not known, or none would. */
  answers: (profileId: string, model: string | null) => string | null;
}

export const placeName = ({ platform, server }: Pick<ListedBinding, 'platform' | 'server'>): string =>
  platform === '' ? text.anyPlatform : text.place(platform, server);

interface BindingRowProps {
  binding: ListedBinding;
  facts: BindingFacts;
  startsOpen: boolean;
  /** The row is gone, and the keyboard with it. */
  onRemoved: () => void;
}

/** A place with what answers there; open, with all that can be chosen for it. */
export function BindingRow({ binding, facts, startsOpen, onRemoved }: BindingRowProps) {
  const { profileId, model, hasBadModules } = binding;
  const place = placeName(binding);
  const persona = facts.personas.find(({ id }) => id === binding.personaId);
  const warnings = [
    ...(facts.isGone(profileId) ? [text.profileMissing(facts.nameOf(facts.defaultId))] : []),
    ...(model !== null && facts.isMissing(model) ? [text.modelMissing(model)] : []),
    ...(hasBadModules ? [text.badModules] : []),
  ];
  return (
    <OpeningRow
      className={peopleStyles.binding}
      label={text.show(place)}
      startsOpen={startsOpen}
      details={<BindingSettings {...{ binding, facts, place, onRemoved }} />}
      below={warnings.map((warning) => (
        <p key={warning} className={`${settingsStyles.ofState} ${settingsStyles.wholeRow}`}>
          <Mark icon="alert" tone="warn" />
          <span>{warning}</span>
        </p>
      ))}
    >
      <span className="cut medium" dir="auto">
        {place}
      </span>
      <span className="min-0">
        <span className="cut block" dir="auto">
          {text.onModel(facts.nameOf(profileId), model)}
        </span>
        {persona && (
          <span className="meta cut block" dir="auto">
            {text.as(persona.name)}
          </span>
        )}
      </span>
    </OpeningRow>
  );
}

interface BindingSettingsProps extends Omit<BindingRowProps, 'startsOpen'> {
  place: string;
}

function BindingSettings({ binding, facts, place, onRemoved }: BindingSettingsProps) {
  const { actions } = useCommands();
  const edits = useRecordChanges(binding, (whole) => {
    const { id: _, hasBadModules: __, ...chosen } = whole;
    return actions.putBinding(chosen);
  });
  const { shown } = edits;
  // On its own: a click on it takes what was typed as well, and must not wait for that to be kept.
  const removal = useAttempt();
  const failure = edits.failure ?? removal.failure;
  const change = (changes: Partial<ListedBinding>): void => void edits.change(changes);
  const remove = async (): Promise<void> => {
    if (await removal.attempt(() => actions.removeBinding(binding.id))) onRemoved();
  };
  return (
    <fieldset
      className={`${settingsStyles.opened} ${peopleStyles.personSettings}`}
      aria-label={text.show(place)}
    >
      {failure && <FailureLine failure={failure} />}
      <SelectRow
        label={text.profile}
        help={text.profileHelp}
        value={shown.profileId}
        options={profileOptions(facts.profiles, shown.profileId)}
        onChoose={(profileId) => change({ profileId })}
      />
      <SelectRow
        label={text.persona}
        help={text.personaHelp}
        value={shown.personaId ?? ''}
        options={[
          { value: '', label: text.ofProfile },
          ...facts.personas.map((each) => ({ value: each.id, label: each.name })),
        ]}
        onChoose={(personaId) => change({ personaId: personaId === '' ? null : personaId })}
      />
      <TypedRow
        label={text.model}
        help={text.modelHelp}
        look="words"
        value={shown.model ?? ''}
        check={() => null}
        onTake={(typed) => change({ model: typed.trim() === '' ? null : typed.trim() })}
      />
      <NumberRow
        label={text.maxOutput}
        help={text.maxOutputHelp}
        unit={text.tokens}
        value={shown.maxOutputTokens}
        most={1_000_000}
        refusal={text.wrongTokens}
        onTake={(maxOutputTokens) => change({ maxOutputTokens })}
      />
      <ModuleRows modules={shown.modules} onChange={(modules) => change({ modules })} />
      <SwitchRow
        label={text.perPerson}
        help={text.perPersonHelp}
        on={shown.isPerPerson}
        onChange={(isPerPerson) => change({ isPerPerson })}
      />
      <NumberRow
        label={text.pause}
        help={text.pauseHelp}
        unit={text.minutes}
        value={shown.pauseMs === null ? null : Math.round(shown.pauseMs / minute)}
        most={100_000}
        refusal={text.wrongPause}
        onTake={(minutes) => change({ pauseMs: minutes === null ? null : minutes * minute })}
      />
      <ActionRow
        label={text.removal}
        help={text.removalHelp}
        small
        busy={removal.busy}
        onClick={() => void remove()}
      >
        {text.remove}
      </ActionRow>
    </fieldset>
  );
}

const minute = 60_000;

interface NumberRowProps {
  label: string;
  help: string;
  unit: string;
  /** null = an empty field. */
  value: number | null;
  most: number;
  refusal: string;
  onTake: (value: number | null) => void;
}

function NumberRow({ label, help, unit, value, most, refusal, onTake }: NumberRowProps) {
  const isFit = (typed: string): boolean => typed.trim() === '' || parseWhole(typed, 1, most) !== null;
  return (
    <TypedRow
      {...{ label, help, unit }}
      look="wide-figure"
      value={value === null ? '' : String(value)}
      check={(typed) => (isFit(typed) ? null : refusal)}
      onTake={(typed) => onTake(parseWhole(typed, 1, most))}
    />
  );
}

interface ModuleRowsProps {
  /** null = the default ones. */
  modules: readonly string[] | null;
  onChange: (modules: string[] | null) => void;
}

const modulesInOrder: readonly ToolModule[] = [...new Set(Object.values(toolModules))];

/** The default ones, or each by itself. */
function ModuleRows({ modules, onChange }: ModuleRowsProps) {
  const name = useId();
  return (
    <>
      <ChoiceRow
        label={text.modules}
        help={text.modulesHelp}
        value={modules === null ? 'default' : 'chosen'}
        segments={[
          { value: 'default', label: text.defaultModules },
          { value: 'chosen', label: text.chosenModules },
        ]}
        onChoose={(which) => onChange(which === 'default' ? null : [...(modules ?? defaultModules)])}
      />
      {modules && (
        <fieldset className={peopleStyles.moduleChoices} aria-label={text.modules}>
          {modulesInOrder.map((module) => (
            <label key={module} htmlFor={`${name}-${module}`}>
              <input
                id={`${name}-${module}`}
                type="checkbox"
                className="box"
                checked={modules.includes(module)}
                onChange={({ target }) =>
                  onChange(
                    modulesInOrder.filter((each) =>
                      each === module ? target.checked : modules.includes(each),
                    ),
                  )
                }
              />
              {text.moduleNames[module]}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}
