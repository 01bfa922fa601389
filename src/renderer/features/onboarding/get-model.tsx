import { onboarding } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useBusy } from './use-busy.ts';

/** Begins its download. */
export function Get({ model, primary = false }: { model: string; primary?: boolean }) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  return (
    <Button
      kind={primary ? 'primary' : 'plain'}
      aria-disabled={busy}
      onClick={() => void during(() => run('model/pull', { model }))}
    >
      {onboarding.model.get(model)}
    </Button>
  );
}
