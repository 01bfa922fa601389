import type { ErrorCode } from '../../../protocol/errors.ts';
import { transcript as text } from '../../../text/en/transcript.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { useEngine } from '../../stores/stores.ts';

/** Errors whose advice is to free the memory that a model holds, or to have it loaded anew. */
const unloading = new Set<string>(['load_starved', 'load_failed', 'slot_lost'] satisfies ErrorCode[]);
/** Errors that this conversation would meet again. */
const beginning = new Set<string>(['template_refused', 'context_overflow'] satisfies ErrorCode[]);

/** What the advice of an error says, as buttons, where the window has a command for it. */
export function Remedies({ code }: { code: string }) {
  const { run } = useCommands();
  const loaded = useEngine((state) => state.engine?.loaded);
  if (beginning.has(code)) {
    return <Button onClick={() => void run('session/new')}>{text.remedies.newSession}</Button>;
  }
  if (!unloading.has(code)) return null;
  return loaded?.map(({ name, vramBytes }) => (
    <Button key={name} onClick={() => void run('model/unload', { model: name })}>
      {text.remedies.unload(name, vramBytes)}
    </Button>
  ));
}
