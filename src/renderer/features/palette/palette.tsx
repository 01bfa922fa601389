import { Dialog } from '@base-ui/react/dialog';
import { useCallback, useRef } from 'react';
import { useCommands } from '../../commands/commands.ts';
import { useStores, useUi } from '../../stores/stores.ts';
import { commands } from '../../text.ts';
import { PaletteBody } from './palette-body.tsx';
import styles from './palette.module.css';
import dialog from '../../components/dialog.module.css';

const text = commands.palette;

/** Everything by its name, over the whole window. Escape and what was run close it. */
export function Palette() {
  const { run } = useCommands();
  const { ui } = useStores();
  const open = useUi((state) => state.overlay === 'palette');
  const field = useRef<HTMLInputElement>(null);
  /** How often the window had handed the keyboard over when the palette closed. */
  const handedOver = useRef<number | null>(null);
  const close = useCallback((): void => {
    handedOver.current = ui.getState().focus.count;
    void run('view/close-overlay', { overlay: 'palette' });
  }, [ui, run]);
  /** To where it was, unless what was run asked for another place. */
  const finalFocus = (): boolean => {
    const asked = ui.getState().focus.count;
    return asked === (handedOver.current ?? asked) && ui.getState().overlay === null;
  };
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.scrim} />
        <Dialog.Popup
          className={styles.palette}
          aria-label={text.label}
          initialFocus={field}
          finalFocus={finalFocus}
        >
          <PaletteBody field={field} onClose={close} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
