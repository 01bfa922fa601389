import { Dialog } from '@base-ui/react/dialog';
import type { ComponentProps } from 'react';
import styles from './dialog.module.css';

interface ModalProps extends Omit<ComponentProps<typeof Dialog.Popup>, 'className'> {
  open?: boolean;
  onClose: () => void;
  /** Its size, and whatever else is its own. */
  className?: string | undefined;
}

/** Lies over the window until it is left: nothing else can be reached meanwhile. */
export function Modal({ open = true, onClose, className = '', ...popup }: ModalProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.scrim} />
        <Dialog.Popup className={`${styles.dialog} ${className}`.trim()} {...popup} />
      </Dialog.Portal>
    </Dialog.Root>
  );
}
