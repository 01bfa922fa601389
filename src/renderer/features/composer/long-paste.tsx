import { composer as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';

interface LongPasteProps {
  pasted: string;
  onAttach: () => void;
  onKeep: () => void;
}

/** Text that came at once and is long: it stays what it is until the person makes a file of it. */
export function LongPaste({ pasted, onAttach, onKeep }: LongPasteProps) {
  return (
    <output className="beside-files">
      <span className="meta num">{text.pasted.told(pasted.length, pasted.split('\n').length)}</span>
      <Button kind="quiet" small icon="clip" onClick={onAttach}>
        {text.pasted.attach}
      </Button>
      <Button kind="quiet" small icon="x" label={text.pasted.keep} onClick={onKeep} />
    </output>
  );
}
