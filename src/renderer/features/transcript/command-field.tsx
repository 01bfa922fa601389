import { transcript as text } from '../../text.ts';
import { isComposing } from '../../components/composing.ts';
import { useFocusAtEnd } from '../../components/use-focus-at-end.ts';
import { useKeyDown } from '../../components/use-key-down.ts';

interface CommandFieldProps {
  text: string;
  /** It was opened by hand just now. Where it only comes back into view, somebody may be writing elsewhere. */
  opened: boolean;
  disabled: boolean;
  onChange: (written: string) => void;
  onAllow: () => void;
  onTakeBack: () => void;
}

/** In the place of the command. Enter is a line of its own: commands have several. */
export function CommandField({
  text: written,
  opened,
  disabled,
  onChange,
  onAllow,
  onTakeBack,
}: CommandFieldProps) {
  const field = useFocusAtEnd(opened);
  useKeyDown(field, (event) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') onTakeBack();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onAllow();
    else return;
    // Else Escape would stop the turn.
    event.stopPropagation();
    event.preventDefault();
  });
  return (
    <textarea
      ref={field}
      rows={1}
      className="code asked"
      aria-label={text.approval.field}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      value={written}
      readOnly={disabled}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
