import { Dialog } from '@base-ui/react/dialog';
import { useRef, useState } from 'react';
import { sessions } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import type { Folder } from '../../stores/folders.ts';
import { Modal } from '../../components/modal.tsx';
import { Form } from '../../components/fields.tsx';
import styles from './sessions.module.css';
import dialog from '../../components/dialog.module.css';

const text = sessions.forkInto;

interface ForkDialogProps {
  session: { id: string; title: string; workspace: string };
  /** Where sessions work already. */
  folders: Folder[];
  onClose: () => void;
}

/** A session keeps its folder, which the model has been told; a copy of it goes on in another one. */
export function ForkDialog({ session: { id, title, workspace }, folders, onClose }: ForkDialogProps) {
  const { run, registry } = useCommands();
  const field = useRef<HTMLInputElement>(null);
  const others = folders.filter(({ path }) => path !== workspace);
  const [path, setPath] = useState(others[0]?.path ?? '');
  const [asked, setAsked] = useState(false);
  const wanted = path.trim();
  const fork = async (): Promise<void> => {
    setAsked(true);
    if (await run('session/fork', { sessionId: id, workspace: wanted })) onClose();
    else setAsked(false);
  };
  return (
    <Modal className={styles.forkInto} initialFocus={field} onClose={onClose}>
      <Form onSubmit={() => wanted !== '' && !asked && void fork()}>
        <div className={dialog.text}>
          <Dialog.Title>{text.title(title)}</Dialog.Title>
          <Dialog.Description className="t2">{text.why}</Dialog.Description>
          <div className={styles.folder}>
            <label className="input grow">
              <input
                ref={field}
                className="mono"
                list="fork-folders"
                aria-label={text.path}
                placeholder={text.placeholder}
                value={path}
                spellCheck={false}
                onChange={(event) => setPath(event.target.value)}
                onFocus={(event) => event.currentTarget.select()}
              />
            </label>
            <datalist id="fork-folders">
              {others.map((folder) => (
                <option key={folder.path} value={folder.path}>
                  {folder.name}
                </option>
              ))}
            </datalist>
            {registry['folder/choose'].enabled() && (
              <Button onClick={() => void run('folder/choose', { onChosen: setPath })}>{text.choose}</Button>
            )}
          </div>
        </div>
        <footer>
          <Button onClick={onClose}>{text.keep}</Button>
          <Button type="submit" kind="primary" disabled={wanted === '' || asked}>
            {text.confirm}
          </Button>
        </footer>
      </Form>
    </Modal>
  );
}
