import { useState } from 'react';
import type { ToolItem } from '../../../protocol/model.ts';
import { transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import { wordsOf, type ErrorWords } from '../../commands/error-words.ts';
import { useSession } from '../../stores/stores.ts';
import { Output } from './output.tsx';

interface Read {
  text: string;
  next: number | null;
}

/** What the tool brought where the model read less of it: asked for piece by piece, when a person wants it. */
export function WholeResult({ item }: { item: ToolItem }) {
  const { ask } = useCommands();
  const sessionId = useSession((session) => session.sessionId);
  const [read, setRead] = useState<Read | null>(null);
  const [failure, setFailure] = useState<ErrorWords | null>(null);
  const [reading, setReading] = useState(false);
  const length = item.wholeLength;
  if (length === undefined || sessionId === null) return null;
  const more = async (): Promise<void> => {
    setReading(true);
    try {
      const piece = await ask.wholeResult(sessionId, item.id, read?.next ?? 0);
      setRead({ text: (read?.text ?? '') + piece.text, next: piece.next });
      setFailure(null);
    } catch (error) {
      setFailure(wordsOf(error));
    } finally {
      setReading(false);
    }
  };
  return (
    <>
      {read && <Output text={read.text} label={text.wholeResult.label} />}
      {(read === null || read.next !== null) && (
        <Button kind="quiet" small disabled={reading} onClick={() => void more()}>
          {read === null ? text.wholeResult.show(length) : text.wholeResult.more}
        </Button>
      )}
      {failure && (
        <p className="meta">
          {failure.message} {failure.advice}
        </p>
      )}
    </>
  );
}
