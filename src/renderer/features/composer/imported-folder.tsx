import { useState } from 'react';
import { composer } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { PathField } from '../../components/path-field.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useTarget } from '../../stores/use-target.ts';
import styles from './composer.module.css';

const text = composer.imported;

/** Above the message box of a session that was imported, until the person has chosen where it works. */
export function ImportedFolder() {
  const { run, registry } = useCommands();
  const [typing, setTyping] = useState(false);
  const named = useTarget().session?.importedFrom ?? null;
  if (named === null) return null;
  const use = (workspace: string): void => {
    setTyping(false);
    void run('session/set-workspace', { workspace });
  };
  return (
    <section className={styles.imported} aria-label={text.label}>
      <Icon name="folder" />
      <span className="grow">{text.explain}</span>
      {typing ? (
        <PathField
          path={named}
          label={text.pathLabel}
          take={text.takePath}
          onUse={use}
          onCancel={() => setTyping(false)}
        />
      ) : (
        <>
          {named !== '' && (
            <Button small title={named} onClick={() => use(named)}>
              {text.take(named)}
            </Button>
          )}
          <Button
            small
            kind="quiet"
            onClick={() => {
              if (registry['session/choose-workspace'].enabled()) void run('session/choose-workspace');
              else setTyping(true);
            }}
          >
            {text.other}
          </Button>
        </>
      )}
    </section>
  );
}
