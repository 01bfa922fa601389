import { transcript as text } from '../../text.ts';
import { IconButton } from '../../components/button.tsx';
import { CopyButton } from '../../components/code/code-block.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useSession } from '../../stores/stores.ts';
import type { RowOf } from './rows.ts';
import { useVersionPrice } from './use-version-price.ts';

/** What can be done with an answer, in the same place below every one. */
export function TurnActions({ row }: { row: RowOf<'actions'> }) {
  const { turnId, answer, missingBefore, fork, regenerate } = row;
  const { run, ask } = useCommands();
  const sessionId = useSession((session) => session.sessionId);
  const price = useVersionPrice(regenerate ? turnId : null);
  if (sessionId === null) return null;
  const whole = async (before: number): Promise<string> =>
    [await ask.answerBefore(sessionId, turnId, before), answer].filter(Boolean).join('\n\n');
  return (
    <div className="turn-acts">
      {answer !== '' && (
        <CopyButton
          label={text.copyAnswer}
          text={missingBefore === null ? answer : () => whole(missingBefore)}
        />
      )}
      {regenerate && (
        <IconButton
          icon="redo"
          label={text.version.regenerate}
          title={[text.version.regenerate, price?.words].filter(Boolean).join('\n')}
          onClick={() => void run('turn/regenerate', { turnId })}
        />
      )}
      {fork && (
        <IconButton
          icon="fork"
          label={text.version.fork}
          onClick={() => void run('session/fork', { sessionId, turnId })}
        />
      )}
      {price?.isFree === false && <span className="meta num">{text.version.price(price.words)}</span>}
    </div>
  );
}
