import type { MeaningStatus } from '../../../protocol/person-methods.ts';
import { wordsOnly } from '../../../rules/choose-model.ts';
import { useCommands } from '../../commands/commands.ts';
import { useEngine } from '../../stores/stores.ts';
import { library, person } from '../../text.ts';
import { ActionButton } from './controls.tsx';
import { FailureLine, SelectRow, SettingGroup } from './pane-parts.tsx';
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
      <SelectRow
        label={text.model}
        help={text.modelHelp}
        value={choice ?? automatic}
        options={[
          { value: automatic, label: text.automatic(choice === null ? model : null) },
          ...models.map(({ name, sizeBytes }) => ({ value: name, label: text.option(name, sizeBytes) })),
          ...(isGone ? [{ value: choice, label: text.gone(choice) }] : []),
          { value: wordsOnly, label: text.none },
        ]}
        onChoose={choose}
      />
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
