import { transcript as text } from '../../text.ts';
import { useFocusAtEnd } from '../../components/use-focus-at-end.ts';

interface CommandFieldProps {
  text: string;
  /** It was opened by hand just now. Where it only comes back into view, somebody may be writing elsewhere. */
  opened: boolean;
  disabled: boolean;
  onChange: (written: string) => void;
}

/** In the place of the command, with the keys of its card. Enter is a line of its own: commands have several. */
export function CommandField({ text: written, opened, disabled, onChange }: CommandFieldProps) {
  const field = useFocusAtEnd(opened);
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
