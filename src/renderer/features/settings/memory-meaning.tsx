import type { MeaningStatus } from '../../../protocol/person-methods.ts';
import { wordsOnly } from '../../../rules/choose-model.ts';
import { useCommands } from '../../commands/commands.ts';
import { useEngine } from '../../stores/stores.ts';
import { library, person } from '../../text.ts';
import { ActionButton } from './action-button.tsx';
import { FailureLine } from './failure-line.tsx';
import { SettingGroup, SettingRow } from './setting-row.tsx';
import { useAttempt } from './use-attempt.ts';
import styles from './settings.module.css';

const text = person.memory.meaning;

/** Offered where no model that makes vectors is installed. */
const offered = ['embeddinggemma:300m', 'all-minilm:22m'] as const;

/** With which model facts are found by what they mean, how far that is, or why words alone find them. */
export function MemoryMeaning({ meaning }: { meaning: MeaningStatus }) {
  const { models, choice, problem } = meaning;
  return (
    <SettingGroup {...person.memory.rows.meaning}>
      <output className={`t2 ${styles.setNote}`}>{statusWords(meaning)}</output>
      {(models.length > 0 || choice !== null) && <ModelRow meaning={meaning} />}
      {problem?.kind === 'no_model' && <Offers />}
    </SettingGroup>
  );
}

function statusWords({ model, indexed, total, problem }: MeaningStatus): string {
  if (problem) return `${text.wordsOnly} ${text.problems[problem.kind](problem.text)}`;
  return model === null ? text.wordsOnly : text.byMeaning(model, indexed, total);
}

/** The value of the choice that is Andiron's: no model has such a name. */
const automatic = ' ';

function ModelRow({ meaning: { choice, model, models } }: { meaning: MeaningStatus }) {
  const { actions } = useCommands();
  const { failure, attempt } = useAttempt();
  const isGone = choice !== null && choice !== wordsOnly && models.every(({ name }) => name !== choice);
  const choose = (value: string): void =>
    void attempt(() => actions.chooseMemoryModel(value === automatic ? null : value));
  return (
    <>
      <SettingRow label={text.model} help={text.modelHelp}>
        {(helpId) => (
          <select
            className="input"
            aria-label={text.model}
            aria-describedby={helpId}
            value={choice ?? automatic}
            onChange={(event) => choose(event.target.value)}
          >
            <option value={automatic}>{text.automatic(choice === null ? model : null)}</option>
            {models.map(({ name, sizeBytes }) => (
              <option key={name} value={name}>
                {text.option(name, sizeBytes)}
              </option>
            ))}
            {isGone && <option value={choice}>{text.gone(choice)}</option>}
            <option value={wordsOnly}>{text.none}</option>
          </select>
        )}
      </SettingRow>
      {failure && <FailureLine failure={failure} />}
    </>
  );
}

function Offers() {
  const pulls = useEngine(({ engine }) => engine?.pulls);
  return (
    <ul className={styles.setList}>
      {offered.map((model) => (
        <Offer
          key={model}
          model={model}
          phase={pulls?.find((pull) => pull.model === model && pull.phase !== 'done')?.phase ?? null}
        />
      ))}
    </ul>
  );
}

function Offer({
  model,
  phase,
}: {
  model: (typeof offered)[number];
  phase: keyof typeof library.pull.phases | null;
}) {
  const { registry } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  return (
    <li>
      <span className="min-0">
        {model} <span className="meta block">{text.offers[model]}</span>
      </span>
      {phase === null ? (
        <ActionButton
          small
          busy={busy}
          description={library.pull.getLabel(model, null)}
          onClick={() => void attempt(() => registry['model/pull'].run({ model }))}
        >
          {library.pull.get}
        </ActionButton>
      ) : (
        <span className="meta">{library.pull.phases[phase]}</span>
      )}
      {failure && <FailureLine failure={failure} />}
    </li>
  );
}
