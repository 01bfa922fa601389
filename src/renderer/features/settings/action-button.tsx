import type { ReactNode } from 'react';
import { Button, type ButtonKind } from '../../components/button.tsx';

interface ActionButtonProps {
  kind?: ButtonKind;
  small?: boolean;
  /** Its action is under way. Only called disabled then: a button that really is loses the keyboard. */
  busy: boolean;
  /** What stands beside it says why it does nothing now. */
  refused?: boolean;
  /** What pressing it does, where its word alone does not say. */
  description?: string;
  /** Id of the line that says it. */
  describedBy?: string;
  onClick: () => void;
  children: ReactNode;
}

export function ActionButton({
  busy,
  refused = false,
  description,
  describedBy,
  onClick,
  ...look
}: ActionButtonProps) {
  return (
    <Button
      {...look}
      aria-disabled={busy || refused}
      data-refused={refused || undefined}
      {...(description !== undefined && { 'aria-description': description })}
      {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
      onClick={() => {
        if (!busy && !refused) onClick();
      }}
    />
  );
}
