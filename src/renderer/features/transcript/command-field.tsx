import { useId } from 'react';
import type { ErrorWords } from '../../commands/error-words.ts';
import { transcript as text } from '../../text.ts';
import { Mark } from '../../components/state-mark.tsx';
import { useFocusAtEnd } from '../../components/use-focus-at-end.ts';

export interface CommandFieldProps {
  text: string;
  /** It was opened by hand just now. Where it only comes back into view, somebody may be writing elsewhere. */
  opened: boolean;
  disabled: boolean;
  /** Why what stands here cannot run, until it is changed. */
  refusal: ErrorWords | null;
  onChange: (written: string) => void;
}

/** In the place of the command, with the keys of its card. Enter is a line of its own: commands have several. */
export function CommandField({ text: written, opened, disabled, refusal, onChange }: CommandFieldProps) {
  const field = useFocusAtEnd(opened);
  const refusalId = useId();
  return (
    <>
      <textarea
        ref={field}
        rows={1}
        className="code asked"
        aria-label={text.approval.field}
        aria-invalid={refusal !== null}
        aria-describedby={refusal === null ? undefined : refusalId}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        value={written}
        readOnly={disabled}
        onChange={(event) => onChange(event.target.value)}
      />
      {refusal && (
        <p className="with-mark refusal" id={refusalId} role="alert">
          <Mark icon="failed" tone="fail" />
          <span>{`${refusal.message} ${refusal.advice}`.trim()}</span>
        </p>
      )}
    </>
  );
}
