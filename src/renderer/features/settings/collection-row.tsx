import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Collection } from '../../../protocol/collection-methods.ts';
import { bytes } from '../../formats.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useEscape } from '../../components/use-key-down.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { collectionsPane as text } from '../../text.ts';
import { ActionButton, AskedButton } from './controls.tsx';
import { TrySearch } from './try-search.tsx';
import { collectionLook, isAway, maxName, meaningWords, placeWords } from './collection-look.ts';
import { FailureLine, NameCell, OpeningRow } from './pane-parts.tsx';
import { useAttempt } from './use-attempt.ts';
import { useOpening } from './use-opening.ts';
import { Form, TextInput } from '../../components/fields.tsx';
import collectionsStyles from './collections.module.css';
import settingsStyles from './settings.module.css';

interface CollectionRowProps {
  collection: Collection;
  /** Something makes vectors. */
  hasModel: boolean;
  onRemoved: () => void;
}

export function CollectionRow({ collection, hasModel, onRemoved }: CollectionRowProps) {
  const { name, place, bytes: size } = collection;
  const look = collectionLook(collection);
  const meaning = meaningWords(collection, hasModel);
  return (
    <OpeningRow
      className={collectionsStyles.collection}
      label={text.show(name)}
      details={<CollectionDetails collection={collection} onRemoved={onRemoved} />}
    >
      <NameCell
        name={<VisibleText text={name} oneLine />}
        about={<VisibleText text={placeWords(place)} oneLine />}
        title={[place.folder ?? place.files].flat().join('\n')}
      />
      <span className="min-0">
        <span className={collectionsStyles.collectionState}>
          <Mark icon={look.icon} tone={look.tone} />
          <span className={look.tone === 'warn' ? 'warn' : 't2'}>{look.words}</span>
        </span>
        {meaning !== '' && <span className={`meta block ${collectionsStyles.ofMeaning}`}>{meaning}</span>}
      </span>
      <span className={`num ${settingsStyles.figureOf}`}>{bytes(size)}</span>
    </OpeningRow>
  );
}

type DetailsProps = Pick<CollectionRowProps, 'collection' | 'onRemoved'>;

function CollectionDetails({ collection, onRemoved }: DetailsProps) {
  const { name, place, state, leftOut, problem, passages } = collection;
  return (
    <section
      className={`${settingsStyles.opened} ${collectionsStyles.collectionDetails}`}
      aria-label={text.show(name)}
    >
      <dl className={collectionsStyles.collectionFacts}>
        <dt className="meta">{place.folder === null ? text.filesOf : text.folder}</dt>
        <dd className="mono">
          {[place.folder ?? place.files].flat().map((path) => (
            <span className="block" key={path}>
              <VisibleText text={path} oneLine />
            </span>
          ))}
        </dd>
      </dl>
      {isAway(state) && <p className="meta">{text.goneHelp}</p>}
      {problem !== null && (
        <p className="meta">
          <VisibleText text={problem} oneLine />
        </p>
      )}
      {leftOut > 0 && <p className="meta">{text.leftOut(leftOut)}</p>}
      <Unread collection={collection} />
      {!isAway(state) && passages > 0 && <TrySearch collection={collection} />}
      <CollectionActs collection={collection} onRemoved={onRemoved} />
    </section>
  );
}

/** Folded: of a large folder they are many, and most are none that anybody wants to read. */
function Unread({ collection: { unread, unreadCount } }: Pick<DetailsProps, 'collection'>) {
  if (unreadCount === 0) return null;
  return (
    <details className={collectionsStyles.collectionUnread}>
      <summary>{text.unread(unreadCount)}</summary>
      <ul>
        {unread.map(({ path, reason }) => (
          <li key={path}>
            <span className="mono">
              <VisibleText text={path} oneLine />
            </span>{' '}
            <span className="meta">
              <VisibleText text={reason} oneLine />
            </span>
          </li>
        ))}
        {unreadCount > unread.length && (
          <li className="meta">{text.unreadMore(unreadCount - unread.length)}</li>
        )}
      </ul>
    </details>
  );
}

function CollectionActs({ collection: { id, name }, onRemoved }: DetailsProps) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { isOpen: renaming, opener, close, toggle } = useOpening();
  const remove = async (): Promise<void> => {
    if (await attempt(() => actions.removeCollection(id))) onRemoved();
  };
  return (
    <>
      {failure && <FailureLine failure={failure} />}
      {renaming && (
        <NameField name={name} onName={(next) => actions.renameCollection(id, next)} onLeave={close} />
      )}
      <div className={settingsStyles.jobActs}>
        <Button ref={opener} small aria-expanded={renaming} onClick={toggle}>
          {text.rename}
        </Button>
        <ActionButton small busy={busy} onClick={() => void attempt(() => actions.refreshCollection(id))}>
          {text.refresh}
        </ActionButton>
        <AskedButton
          small
          kind="quiet"
          title={text.removeTitle(name)}
          text={text.removeText}
          confirm={text.removeCollection}
          keep={text.keep}
          onConfirm={() => void remove()}
        >
          {text.remove}
        </AskedButton>
      </div>
    </>
  );
}

interface NameFieldProps {
  name: string;
  onName: (name: string) => Promise<unknown>;
  onLeave: () => void;
}

/** Escape leaves it as it was; a name that is taken stays as it was typed, with the reason. */
function NameField({ name, onName, onLeave }: NameFieldProps) {
  const [typed, setTyped] = useState(name);
  const { busy, failure, attempt } = useAttempt();
  const form = useRef<HTMLFormElement>(null);
  useSelected(form);
  useEscape(form, onLeave);
  const save = async (): Promise<void> => {
    const next = typed.trim();
    if (busy || next === '') return;
    if (next === name || (await attempt(() => onName(next)))) onLeave();
  };
  return (
    <Form ref={form} className={collectionsStyles.collectionName} onSubmit={() => void save()}>
      <TextInput
        aria-label={text.nameOf(name)}
        dir="auto"
        maxLength={maxName}
        value={typed}
        onType={setTyped}
      />
      <ActionButton small busy={busy} onClick={() => void save()}>
        {text.save}
      </ActionButton>
      {failure && <FailureLine failure={failure} />}
    </Form>
  );
}

/** Whoever asked for the field types at once. */
function useSelected(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const field = place.current?.querySelector('input');
    field?.focus();
    field?.select();
  }, [place]);
}
