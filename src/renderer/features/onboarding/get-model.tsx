import { onboarding } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useBusy } from './use-busy.ts';

interface GetProps {
  model: string;
  primary?: boolean;
  /** Its line says why. */
  refused?: boolean;
}

/** Begins its download. */
export function Get({ model, primary = false, refused = false }: GetProps) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  return (
    <Button
      kind={primary ? 'primary' : 'plain'}
      aria-disabled={busy || refused}
      data-refused={refused || undefined}
      onClick={() => {
        if (!refused) void during(() => run('model/pull', { model }));
      }}
    >
      {onboarding.model.get(model)}
    </Button>
  );
}
