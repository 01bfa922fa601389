import { Dialog } from '@base-ui/react/dialog';
import { useRef } from 'react';
import { commandGroups, groupOf } from '../../commands/command-groups.ts';
import { commandNames, useCommands } from '../../commands/commands.ts';
import { keyCaps } from '../../commands/keyboard.ts';
import { useKeyCaps } from '../../commands/use-key-caps.ts';
import { Button, KeyCaps } from '../../components/button.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { useStores, useUi } from '../../stores/stores.ts';
import { commands, transcript } from '../../text.ts';
import { Modal } from '../../components/modal.tsx';
import styles from './palette.module.css';

const text = commands.sheet;

/** Every shortcut as it is now, over the whole window. */
export function ShortcutsSheet() {
  const { run } = useCommands();
  const { ui } = useStores();
  const open = useUi((state) => state.overlay === 'shortcuts');
  const popup = useRef<HTMLDivElement>(null);
  /** The settings take the keyboard themselves. */
  const left = useRef(false);
  const close = (): void => {
    left.current = false;
    void run('view/close-overlay', { overlay: 'shortcuts' });
  };
  const change = (): void => {
    close();
    left.current = true;
    void run('view/settings-of', { section: 'shortcuts' });
  };
  return (
    <Modal
      ref={popup}
      open={open}
      className={styles.shortcutsSheet}
      initialFocus={() => popup.current?.querySelector<HTMLElement>('header > :last-child') ?? true}
      finalFocus={() => ui.getState().overlay === null && !left.current}
      onClose={close}
    >
      <header>
        <Dialog.Title>{text.title}</Dialog.Title>
        <Button kind="quiet" onClick={change}>
          {text.change}
        </Button>
        <Button kind="quiet" icon="x" label={text.close} onClick={close} />
      </header>
      <Groups />
    </Modal>
  );
}

function Groups() {
  const { shortcuts, mac } = useCommands();
  const caps = useKeyCaps();
  const groups = commandGroups.map((group) => ({
    title: commands.groups[group],
    rows: shortcuts.ids
      .filter((id) => groupOf(id) === group && shortcuts.of(id) !== null)
      .map((id) => {
        const also = shortcuts.alsoOf(id);
        const keys = [caps(id), also === null ? undefined : keyCaps(also, mac)];
        return { name: commandNames[id], keys: keys.filter((each) => each !== undefined) };
      }),
  }));
  return (
    <ScrollRegion className={styles.sheetGroups} label={text.title}>
      {[...groups, ...ofPlaces(mac)]
        .filter(({ rows }) => rows.length > 0)
        .map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(({ name, keys }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    {keys.map((each) => (
                      <span key={each.join()}>
                        <KeyCaps keys={each} />
                        <span className="sr-only">{each.join(' ')}</span>
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
    </ScrollRegion>
  );
}

const row = (name: string, caps: string[]) => ({ name, keys: [caps] });

/** Keys that mean something in one place only, and stay as they are. */
function ofPlaces(mac: boolean) {
  const { places, keys } = text;
  const { allowKey, declineKey, editKey, replyKey } = transcript.approval;
  return [
    { title: places.box, rows: [row(keys.send, ['Enter']), row(keys.line, keyCaps('Shift+Enter', mac))] },
    {
      title: places.list,
      rows: [row(keys.rename, ['F2']), row(keys.remove, keyCaps('Delete', mac)), row(keys.pin, ['P'])],
    },
    {
      title: places.question,
      rows: [
        row(keys.allow, [allowKey]),
        row(keys.always, keyCaps('Shift+Enter', mac)),
        row(keys.decline, [declineKey]),
        row(keys.reply, [replyKey]),
        row(keys.edit, [editKey]),
      ],
    },
  ];
}
