import type { ErrorCode } from '../../../protocol/errors.ts';
import { transcript as text } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { useEngine } from '../../stores/stores.ts';

/** Errors whose advice is to free the memory that a model holds, or to have it loaded anew. */
const unloading = new Set<string>(['load_starved', 'load_failed', 'slot_lost'] satisfies ErrorCode[]);
/** Errors that this conversation would meet again. */
const beginning = new Set<string>(['template_refused', 'context_overflow'] satisfies ErrorCode[]);

/** Whether `Remedies` has a button to offer. */
export function useHasRemedies(code: string): boolean {
  const holds = useEngine((state) => (state.engine?.loaded.length ?? 0) > 0);
  return beginning.has(code) || (unloading.has(code) && holds);
}

/** What the advice of an error says, as buttons, where the window has a command for it. `first`: do it before all else. */
export function Remedies({ code, first = false }: { code: string; first?: boolean }) {
  const { run } = useCommands();
  const loaded = useEngine((state) => state.engine?.loaded);
  if (beginning.has(code)) {
    return (
      <Button kind={first ? 'primary' : 'plain'} onClick={() => void run('session/new')}>
        {text.remedies.newSession}
      </Button>
    );
  }
  if (!unloading.has(code)) return null;
  return loaded?.map(({ name, vramBytes }, place) => (
    <Button
      key={name}
      kind={first && place === 0 ? 'primary' : 'plain'}
      onClick={() => void run('model/unload', { model: name })}
    >
      {text.remedies.unload(name, vramBytes)}
    </Button>
  ));
}
