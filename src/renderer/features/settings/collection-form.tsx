import { useId, useState } from 'react';
import type { CollectionPlace, CollectionPrice } from '../../../protocol/collection-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { TextInput } from '../../components/fields.tsx';
import { collectionsPane } from '../../text.ts';
import { maxName, pathsIn, suggestedName } from './collection-look.ts';
import { FailureLine } from './pane-parts.tsx';
import { AreaField, Field, Fields, FormDialog, TextField } from './form-dialog.tsx';
import { Segments } from './controls.tsx';
import { useAttempt } from './use-attempt.ts';
import collectionsStyles from './collections.module.css';

const { form: text, leftOut } = collectionsPane;
const kinds = ['folder', 'files'] as const;

interface Draft {
  kind: (typeof kinds)[number];
  folder: string;
  /** One per line. */
  files: string;
}

interface CollectionFormProps {
  /** Something makes vectors. */
  hasModel: boolean;
  /** Names that others have. */
  taken: readonly string[];
  onClose: () => void;
}

const empty: Draft = { kind: 'folder', folder: '', files: '' };

const placeOf = ({ kind, folder, files }: Draft): CollectionPlace =>
  kind === 'folder'
    ? { folder: pathsIn(folder)[0] ?? null, files: [] }
    : { folder: null, files: pathsIn(files) };

const isNowhere = ({ folder, files }: CollectionPlace): boolean => folder === null && files.length === 0;

/** A place, then what it costs, then its name: nothing is kept before the price was seen. */
export function CollectionForm({ hasModel, taken, onClose }: CollectionFormProps) {
  const form = useNewCollection(taken, onClose);
  const { draft, set, name, setName, price, problem, busy, failure, submit } = form;
  const helpId = useId();
  return (
    <FormDialog
      tall
      title={text.title}
      cancel={text.cancel}
      verb={price ? text.save : text.look}
      onSubmit={submit}
      {...{ busy, failure, onClose }}
    >
      <Segments
        label={text.kind}
        value={draft.kind}
        segments={kinds.map((value) => ({ value, label: text.kinds[value] }))}
        describedBy={helpId}
        onChoose={(kind) => set({ kind })}
      />
      <p className="meta" id={helpId}>
        {text.kindHelp[draft.kind]}
      </p>
      <Fields>
        {draft.kind === 'folder' ? (
          <FolderField folder={draft.folder} onFolder={form.choose} onType={(folder) => set({ folder })} />
        ) : (
          <AreaField
            label={text.files}
            help={text.filesHelp}
            className="mono"
            rows={4}
            spellCheck={false}
            value={draft.files}
            onType={(files) => set({ files })}
          />
        )}
        {price && (
          <TextField
            label={text.name}
            help={text.nameHelp}
            dir="auto"
            autoComplete="off"
            maxLength={maxName}
            value={name}
            onType={setName}
          />
        )}
      </Fields>
      <output className={busy && !price ? 'meta block' : 'sr-only'}>
        {busy && !price ? text.asking : ''}
      </output>
      {price && <PriceFacts price={price} hasModel={hasModel} />}
      {problem !== '' && <FailureLine failure={{ message: problem, advice: '' }} />}
    </FormDialog>
  );
}

function useNewCollection(taken: readonly string[], onClose: () => void) {
  const { actions, ask } = useCommands();
  const [draft, setDraft] = useState(empty);
  /** null = nobody typed one: the one that is offered follows the place. */
  const [typedName, setName] = useState<string | null>(null);
  const [looked, setLooked] = useState<{ place: string; price: CollectionPrice } | null>(null);
  const [problem, setProblem] = useState('');
  const { busy, failure, attempt } = useAttempt();
  const place = placeOf(draft);
  // A price is that of its place: whoever changes the place sees no price of another one.
  const price = looked?.place === JSON.stringify(place) ? looked.price : null;
  const name = typedName ?? suggestedName(place, taken);

  const look = async (of: CollectionPlace): Promise<void> => {
    const found = { place: JSON.stringify(of), price: await ask.collectionPrice(of) };
    setLooked(found);
  };
  const submit = (): void => {
    const isNamed = name.trim() !== '';
    const nowhere = draft.kind === 'folder' ? text.noFolder : text.noFiles;
    const wrong = isNowhere(place) ? nowhere : price && !isNamed ? text.noName : '';
    setProblem(wrong);
    if (busy || wrong !== '') return;
    if (price)
      void attempt(() => actions.addCollection(name.trim(), place)).then((kept) => kept && onClose());
    else void attempt(() => look(place));
  };
  return {
    draft,
    set: (changes: Partial<Draft>): void => {
      setProblem('');
      setDraft({ ...draft, ...changes });
    },
    /** Chosen is meant: its price is asked for at once. */
    choose: (folder: string): void => {
      const chosen = { ...draft, folder };
      setProblem('');
      setDraft(chosen);
      void attempt(() => look(placeOf(chosen)));
    },
    name,
    setName,
    price,
    problem,
    busy,
    failure,
    submit,
  };
}

interface FolderFieldProps {
  folder: string;
  onType: (folder: string) => void;
  /** By the desktop's picker. */
  onFolder: (folder: string) => void;
}

function FolderField({ folder, onType, onFolder }: FolderFieldProps) {
  const { run, registry } = useCommands();
  return (
    <Field label={text.folder} help={text.folderHelp}>
      {(ids) => (
        <span className={collectionsStyles.chosenFolder}>
          <TextInput
            {...ids}
            className="mono"
            spellCheck={false}
            autoComplete="off"
            value={folder}
            onType={onType}
          />
          {registry['folder/choose'].enabled() && (
            <Button onClick={() => void run('folder/choose', { onChosen: onFolder })}>{text.choose}</Button>
          )}
        </span>
      )}
    </Field>
  );
}

function PriceFacts({ price, hasModel }: { price: CollectionPrice; hasModel: boolean }) {
  const { files, passages, disk, meaning, message } = text.rows;
  const { meaningMs } = price;
  const timeless = hasModel ? text.notTimed : text.noModel;
  return (
    <section aria-label={text.price}>
      <dl className={`${collectionsStyles.collectionFacts} ${collectionsStyles.priceFacts}`}>
        <dt className="meta">{files}</dt>
        <dd>
          {text.sizeOf(price.files, price.bytes)}
          {price.leftOut > 0 && <span className="meta block">{leftOut(price.leftOut)}</span>}
        </dd>
        <dt className="meta">{passages}</dt>
        <dd>{text.aboutPassages(price.passages)}</dd>
        <dt className="meta">{disk}</dt>
        <dd>{text.aboutDisk(price.indexBytes)}</dd>
        <dt className="meta">{meaning}</dt>
        <dd>{meaningMs === null ? timeless : text.aboutTime(meaningMs)}</dd>
        <dt className="meta">{message}</dt>
        <dd>{text.upToTokens(price.messageTokens)}</dd>
      </dl>
    </section>
  );
}
