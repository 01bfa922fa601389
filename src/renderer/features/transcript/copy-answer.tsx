import type { ItemOf } from '../../../protocol/model.ts';
import { transcript as text } from '../../text.ts';
import { CopyButton } from '../../components/code/code-block.tsx';

/** All of an answer as the model wrote it, while it is pointed at or focused. */
export function CopyAnswer({ item }: { item: ItemOf<'text'> }) {
  return (
    <div className="answer-acts">
      <CopyButton text={item.text} words={text.copyAnswer} />
    </div>
  );
}
