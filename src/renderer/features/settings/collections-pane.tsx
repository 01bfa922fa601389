import { useRef, useState } from 'react';
import type { Collection } from '../../../protocol/collection-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { useHost } from '../../stores/stores.ts';
import { collectionsPane as text, settings } from '../../text.ts';
import { CollectionForm } from './collection-form.tsx';
import { CollectionRow } from './collection-row.tsx';
import { EmptyNote, Unanswered } from './pane-parts.tsx';
import { useAsked } from './use-attempt.ts';
import settingsStyles from './settings.module.css';
import collectionsStyles from './collections.module.css';

/** Folders and files in which passages are found: how far each was read, and what it takes. */
export function CollectionsPane() {
  // The host counts them with skills.
  const changes = useHost((host) => host.skillChanges ?? 0);
  const asked = useAsked(`collections:${String(changes)}`, (ask) => ask.collections());
  const { value } = asked;
  const [adding, setAdding] = useState(false);
  const add = useRef<HTMLButtonElement>(null);
  const collections = value?.collections ?? [];
  return (
    <div className={`${settingsStyles.pane} ${collectionsStyles.collections}`}>
      <header className={settingsStyles.usageHead}>
        <h2>{settings.sections.collections}</h2>
        <Button ref={add} onClick={() => setAdding(true)}>
          {text.add}
        </Button>
      </header>
      <Unanswered {...{ asked, text }} />
      {value && (
        <CollectionTable
          collections={collections}
          hasModel={value.model !== null}
          // The row that had the keyboard is gone.
          onRemoved={() => add.current?.focus()}
        />
      )}
      {value && collections.length > 0 && value.model === null && <NoModel />}
      {adding && (
        <CollectionForm
          hasModel={value?.model != null}
          taken={collections.map(({ name }) => name)}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  );
}

interface CollectionTableProps {
  collections: readonly Collection[];
  hasModel: boolean;
  onRemoved: () => void;
}

function CollectionTable({ collections, hasModel, onRemoved }: CollectionTableProps) {
  if (collections.length === 0) return <EmptyNote text={text.none} help={text.noneHelp} />;
  const { collection, state, size } = text.columns;
  return (
    <>
      <div className={`${collectionsStyles.collectionColumns} meta`} aria-hidden="true">
        <span>{collection}</span>
        <span>{state}</span>
        <span className={settingsStyles.figureOf}>{size}</span>
      </div>
      <ul className={settingsStyles.setList}>
        {collections.map((each) => (
          <CollectionRow key={each.id} collection={each} hasModel={hasModel} onRemoved={onRemoved} />
        ))}
      </ul>
    </>
  );
}

/** Memory offers models that make vectors, and says why there is none. */
function NoModel() {
  const { run } = useCommands();
  return (
    <p className={`meta ${settingsStyles.setNote} ${collectionsStyles.noModel}`}>
      {text.noModel}{' '}
      <button
        type="button"
        className="link"
        onClick={() => void run('view/settings-of', { section: 'memory' })}
      >
        {text.getModel}
      </button>
    </p>
  );
}
