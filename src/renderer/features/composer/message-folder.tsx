import { composer } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { PathField } from '../../components/path-field.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useAskedField } from '../../stores/use-asked-field.ts';
import { useTarget } from '../../stores/use-target.ts';
import styles from './composer.module.css';

const text = composer.folder;

/** Above a first message that was to be sent before anybody chose where it works; then it goes. Whatever page is shown. */
export function MessageFolder({ onChosen }: { onChosen: () => void }) {
  const { run } = useCommands();
  const [asked, setAsked] = useAskedField('message-folder');
  const { workspace } = useTarget();
  if (!asked || workspace !== null) return null;
  return (
    <section className={styles.imported} aria-label={text.label}>
      <Icon name="folder" />
      <span className="grow">{text.explain}</span>
      <PathField
        path=""
        label={text.pathLabel}
        take={text.takePath}
        onUse={(path) => {
          setAsked(false);
          void run('session/set-workspace', { workspace: path }).then((set) => set && onChosen());
        }}
        onCancel={() => {
          setAsked(false);
          void run('composer/focus');
        }}
      />
    </section>
  );
}
