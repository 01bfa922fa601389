import type { Person } from '../../../protocol/people-methods.ts';
import type { Level } from '../../../protocol/principal.ts';
import { defaultBudgetRules, type BudgetRules } from '../../../rules/budget.ts';
import { Bar } from '../../components/bar.tsx';
import { useCommands } from '../../commands/commands.ts';
import { parseWhole } from '../../formats.ts';
import { useHost } from '../../stores/stores.ts';
import { dates, peoplePane as text } from '../../text.ts';
import {
  ActionRow,
  ChoiceRow,
  EmptyNote,
  FailureLine,
  NameCell,
  OpeningRow,
  SettingGroup,
  SwitchRow,
  TypedRow,
} from './pane-parts.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import { useRecordChanges } from './use-record-changes.ts';
import settingsStyles from './settings.module.css';
import peopleStyles from './people.module.css';
import bars from '../../components/bar.module.css';

/** Who writes to this Andiron, what they may, and how much they have used. */
export function PeoplePane() {
  const changes = useHost((host) => host.peopleChanges ?? 0);
  const { value, failure, again } = useAsked(`people:${changes}`, (ask) => ask.people());
  const { value: rules } = useAsked(`budget rules:${changes}`, (ask) => ask.budgetRules());
  const { guestTokens } = rules ?? defaultBudgetRules;
  const owner = value?.find(({ level }) => level === 'owner');
  const others = value?.filter(({ level }) => level !== 'owner') ?? [];
  return (
    <div className={settingsStyles.pane}>
      {failure && <FailureLine failure={{ message: text.failed, advice: failure.message }} onAgain={again} />}
      <SettingGroup {...text.rows.you}>
        <ul className={settingsStyles.setList}>
          {owner && (
            <li className={peopleStyles.person}>
              <NameCell name={owner.name || text.rows.you.label} about={text.computer} />
              <span className="meta">{text.owner}</span>
              <span className="meta num">{text.noLimit(owner.used)}</span>
            </li>
          )}
        </ul>
      </SettingGroup>
      <SettingGroup
        {...text.rows.others}
        aside={others.length > 0 && <span className="meta num">{text.count(others.length)}</span>}
      >
        {!value && !failure && <p className={`t3 ${settingsStyles.setNote}`}>{text.asking}</p>}
        {value && others.length === 0 && <EmptyNote text={text.none} help={text.noneHelp(guestTokens)} />}
        <ul className={settingsStyles.setList}>
          {others.map((person) => (
            <PersonRow key={person.id} person={person} />
          ))}
        </ul>
      </SettingGroup>
      <SettingGroup {...text.rows.budgets}>{rules && <BudgetSettings rules={rules} />}</SettingGroup>
    </div>
  );
}

/** What holds for whoever writes from now on. */
function BudgetSettings({ rules }: { rules: BudgetRules }) {
  const { actions } = useCommands();
  const { shown, failure, change } = useRecordChanges(rules, actions.setBudgetRules);
  return (
    <>
      {failure && <FailureLine failure={failure} />}
      <TokensRow
        label={text.guestTokens}
        help={text.guestTokensHelp}
        tokens={shown.guestTokens}
        onTake={(guestTokens) => void change({ guestTokens })}
      />
      <SwitchRow
        label={text.cacheFree}
        help={text.cacheFreeHelp}
        on={shown.isCacheFree}
        onChange={(isCacheFree) => void change({ isCacheFree })}
      />
    </>
  );
}

interface TokensRowProps {
  label: string;
  help: string;
  /** null = without a limit, which an empty field means. */
  tokens: number | null;
  onTake: (tokens: number | null) => void;
}

const isBudget = (typed: string): boolean => typed.trim() === '' || budgetOf(typed) !== null;
const budgetOf = (typed: string): number | null => parseWhole(typed, 0, 999_999_999_999);

function TokensRow({ label, help, tokens, onTake }: TokensRowProps) {
  return (
    <TypedRow
      {...{ label, help }}
      look="wide-figure"
      unit={text.tokens}
      value={tokens === null ? '' : String(tokens)}
      check={(typed) => (isBudget(typed) ? null : text.wrongBudget)}
      onTake={(typed) => onTake(budgetOf(typed))}
    />
  );
}

/** Where nobody gave a name, the first account has to do. */
const nameOf = ({ name, accounts, id }: Person): string =>
  name || accounts[0]?.name || accounts[0]?.platformUserId || id;

function PersonRow({ person }: { person: Person }) {
  const name = nameOf(person);
  const { level, accounts, blockedAt } = person;
  return (
    <OpeningRow
      className={peopleStyles.person}
      label={text.show(name)}
      details={<PersonSettings person={person} name={name} />}
    >
      <NameCell name={name} about={accounts.length > 0 ? text.accounts(accounts) : text.noAccount} />
      <span className="meta">{blockedAt === null ? text.levels[level] : text.blocked}</span>
      <TokensUsed person={person} />
    </OpeningRow>
  );
}

function TokensUsed({ person: { used, budget, resetAt } }: { person: Person }) {
  if (budget === null) return <span className="meta num">{text.noLimit(used)}</span>;
  const words = text.used(used, budget);
  const look = used >= budget ? bars.fail : bars.weights;
  return (
    <span className={peopleStyles.personUse}>
      <Bar
        parts={[{ key: 'used', look, value: Math.min(used, budget) }]}
        total={Math.max(1, budget)}
        label=""
      />
      <span className="meta num block">{words}</span>
      <span className="meta num block">{text.resets(dates.dayOf(resetAt))}</span>
    </span>
  );
}

const below: Exclude<Level, 'owner'>[] = ['guest', 'user', 'admin'];

function PersonSettings({ person, name }: { person: Person; name: string }) {
  const { actions } = useCommands();
  const edits = useAttempt();
  // Each on its own: a click on one of them takes what was typed as well, and must not wait for that to be kept.
  const reset = useAttempt();
  const access = useAttempt();
  const failure = edits.failure ?? reset.failure ?? access.failure;
  const update = (changes: Parameters<typeof actions.updatePerson>[1]) =>
    actions.updatePerson(person.id, changes);
  const change = (changes: Parameters<typeof update>[0]): void => void edits.attempt(() => update(changes));
  const isBlocked = person.blockedAt !== null;
  return (
    <fieldset
      className={`${settingsStyles.opened} ${peopleStyles.personSettings}`}
      aria-label={text.show(name)}
    >
      {failure && <FailureLine failure={failure} />}
      <TypedRow
        label={text.name}
        help={text.nameHelp}
        look="words"
        value={person.name}
        check={() => null}
        onTake={(typed) => change({ name: typed.trim() })}
      />
      <ChoiceRow
        label={text.level}
        help={text.mayDo[person.level]}
        value={person.level}
        segments={below.map((value) => ({ value, label: text.levels[value] }))}
        onChoose={(level) => level !== 'owner' && change({ level })}
      />
      <TokensRow
        label={text.budget}
        help={text.budgetHelp}
        tokens={person.budget}
        onTake={(budget) => change({ budget })}
      />
      <ActionRow
        label={text.usedTokens}
        help={text.resetHelp}
        small
        busy={reset.busy}
        onClick={() => void reset.attempt(() => actions.resetBudget(person.id))}
      >
        {text.reset}
      </ActionRow>
      <ActionRow
        label={text.access}
        help={text.blockHelp}
        small
        busy={access.busy}
        onClick={() => void access.attempt(() => update({ isBlocked: !isBlocked }))}
      >
        {isBlocked ? text.unblock : text.block}
      </ActionRow>
    </fieldset>
  );
}
