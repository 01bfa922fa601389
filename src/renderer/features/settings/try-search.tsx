import { useId, useState } from 'react';
import type { Collection, Passage } from '../../../protocol/collection-methods.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { collectionsPane } from '../../text.ts';
import { ActionButton } from './controls.tsx';
import { FailureLine } from './pane-parts.tsx';
import { useAsked } from './use-attempt.ts';
import { Form, TextInput } from '../../components/fields.tsx';
import styles from './collections.module.css';

const { search: text } = collectionsPane;

const landmark = { role: 'search' };

/** What is found for some words, for a person who tries it. */
export function TrySearch({ collection: { id, name } }: { collection: Collection }) {
  const [typed, setTyped] = useState('');
  /** `time`: the same words again may find more, while the files are still read. */
  const [asked, setAsked] = useState({ query: '', time: 0 });
  const { query } = asked;
  const key = query === '' ? null : JSON.stringify([id, asked]);
  const { value, failure } = useAsked(key, async (ask) => ({ key, ...(await ask.passages(id, query)) }));
  const isAsking = key !== null && failure === null && value?.key !== key;
  const fieldId = useId();
  const search = (): void => setAsked(({ time }) => ({ query: typed.trim(), time: time + 1 }));
  const said = isAsking ? text.asking : value ? countWords(value, query) : '';
  return (
    <div className={styles.collectionSearch}>
      <Form aria-label={text.label(name)} {...landmark} onSubmit={search}>
        <label htmlFor={fieldId} className="meta">
          {text.field}
        </label>
        <TextInput id={fieldId} dir="auto" value={typed} autoComplete="off" onType={setTyped} />
        <ActionButton small busy={isAsking} onClick={search}>
          {text.find}
        </ActionButton>
      </Form>
      {failure && <FailureLine failure={failure} />}
      <output className={said === '' ? 'sr-only' : 'meta block'}>{failure ? '' : said}</output>
      {value && value.passages.length > 0 && !failure && (
        <ol className={styles.passages} aria-label={text.results(name)}>
          {value.passages.map((passage) => (
            <PassageRow key={`${passage.path}\n${passage.place}\n${passage.text}`} passage={passage} />
          ))}
        </ol>
      )}
    </div>
  );
}

const countWords = (
  { passages, byMeaning }: { passages: readonly Passage[]; byMeaning: boolean },
  query: string,
): string => (passages.length === 0 ? text.none(query) : text.found(passages.length, byMeaning));

/** All of it is text of a file. */
function PassageRow({ passage: { path, place, text: words, by } }: { passage: Passage }) {
  return (
    <li>
      <p className={styles.passageHead}>
        <span className="mono">
          <VisibleText text={path} oneLine />
        </span>
        {place !== '' && (
          <span className="meta">
            <VisibleText text={place} oneLine />
          </span>
        )}
        <span className={`meta ${styles.passageBy}`}>{text.by[by]}</span>
      </p>
      <p className={styles.triedText} dir="auto">
        <VisibleText text={words} />
      </p>
    </li>
  );
}
