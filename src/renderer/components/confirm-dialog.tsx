import { AlertDialog as Base } from '@base-ui/react/alert-dialog';
import { Button } from './button.tsx';
import dialog from './dialog.module.css';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  /** What will happen, with its price. */
  text: string;
  /** Verbs with their object: "Delete session", "Keep session". */
  confirm: string;
  keep: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. The safe answer has the focus. */
export function ConfirmDialog({ open, title, text, confirm, keep, onConfirm, onClose }: ConfirmDialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={dialog.scrim} />
        <Base.Popup className={dialog.dialog}>
          <div className={dialog.text}>
            <Base.Title>{title}</Base.Title>
            <Base.Description className="t2">{text}</Base.Description>
          </div>
          <footer>
            <Button onClick={onClose}>{keep}</Button>
            <Button
              kind="danger"
              onClick={() => {
                onConfirm();
                onClose();
              }}
            >
              {confirm}
            </Button>
          </footer>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
