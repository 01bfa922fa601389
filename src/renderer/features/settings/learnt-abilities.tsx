import type { Ability, AbilityRow } from '../../../protocol/abilities.ts';
import type { ModelInfo } from '../../../protocol/model.ts';
import { library } from '../../text.ts';
import { Mark, type StateLook } from '../../components/state-mark.tsx';
import { timeAndDay } from '../../components/time-of-day.ts';
import { useCommands } from '../../commands/commands.ts';
import { useExam } from '../../commands/use-exam.ts';
import { useHost } from '../../stores/stores.ts';
import { ActionButton, AskedButton } from './controls.tsx';
import { FailureLine } from './pane-parts.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import settingsStyles from './settings.module.css';
import libraryStyles from './library.module.css';

const text = library.abilities;

/** The others are facts about its engine. */
type ShownAbility = keyof typeof text.names;
const isShown = (ability: Ability): ability is ShownAbility => Object.hasOwn(text.names, ability);

interface LearntAbilitiesProps {
  model: Pick<ModelInfo, 'name' | 'digest'>;
  /** A test takes the GPU, which is another server's own affair. */
  mayBeTested?: boolean;
}

/** What a model did so far, by ability, and whether Andiron relies on it; tested again or forgotten by a button. */
export function LearntAbilities({ model: { name, digest }, mayBeTested = true }: LearntAbilitiesProps) {
  const { actions } = useCommands();
  const changes = useHost((host) => host.abilityChanges ?? 0);
  const {
    value: rows,
    failure: unread,
    again,
  } = useAsked(`abilities:${name}:${digest}:${String(changes)}`, (ask) => ask.abilities(name));
  const { busy, failure, attempt } = useAttempt();
  const isTold = rows?.some(({ at }) => at !== null) ?? false;
  return (
    <>
      <h2>{text.title}</h2>
      {unread && <FailureLine failure={{ message: text.failed, advice: unread.message }} onAgain={again} />}
      {!rows && !unread && <p className="t3">{text.asking}</p>}
      {rows && <AbilityTable rows={rows} />}
      <p className={`meta ${settingsStyles.paneNote}`}>{text.note}</p>
      <div className={`acts ${libraryStyles.abilityActs}`}>
        {mayBeTested && <TestButton name={name} digest={digest} words={isTold ? text.again : text.test} />}
        <AskedButton
          small
          busy={busy || !isTold}
          title={text.forgetTitle(name)}
          text={text.forgetText}
          confirm={text.confirm}
          keep={text.keep}
          onConfirm={() => void attempt(() => actions.forgetAbilities(name))}
        >
          {text.forget}
        </AskedButton>
      </div>
      {failure && <FailureLine failure={failure} />}
    </>
  );
}

function TestButton({ name, digest, words }: Pick<ModelInfo, 'name' | 'digest'> & { words: string }) {
  const exam = useExam(name, digest);
  return (
    <ActionButton small busy={!exam.mayBegin} onClick={exam.onBegin}>
      {words}
    </ActionButton>
  );
}

function AbilityTable({ rows }: { rows: AbilityRow[] }) {
  const { columns } = text;
  return (
    <table className={`grid ${libraryStyles.abilities}`}>
      <thead>
        <tr>
          <th scope="col">{columns.ability}</th>
          <th scope="col" className="r">
            {columns.seen}
          </th>
          <th scope="col" className="r">
            {columns.good}
          </th>
          <th scope="col">{columns.last}</th>
          <th scope="col">{columns.holds}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(
          (row) => isShown(row.ability) && <Line key={row.ability} ability={row.ability} row={row} />,
        )}
      </tbody>
    </table>
  );
}

function Line({ ability, row }: { ability: ShownAbility; row: AbilityRow }) {
  const counted = countsOf(row);
  return (
    <tr>
      <th scope="row">{text.names[ability]}</th>
      <td className="r">{counted ? text.times(counted.seen) : text.never}</td>
      <td className="r">{counted && text.times(counted.good)}</td>
      <td>{row.at !== null && timeAndDay(row.at)}</td>
      <td>
        <span className="with-mark">
          <Mark {...lookOf(row)} />
          <span>{row.holds ? text.yes : text.no}</span>
        </span>
      </td>
    </tr>
  );
}

/** Green is for what was seen, not for what is expected. */
function lookOf({ holds, at }: AbilityRow): StateLook {
  if (!holds) return { icon: 'idle', tone: 'still' };
  return { icon: 'done', tone: at === null ? 'done' : 'ok' };
}

/** In whole observations: their weights fade, and one that was made is still one. null = none was made. */
function countsOf({ good, bad, at }: AbilityRow): { seen: number; good: number } | null {
  const weight = good + bad;
  if (at === null || weight === 0) return null;
  const seen = Math.max(1, Math.round(weight));
  return { seen, good: Math.round((seen * good) / weight) };
}
