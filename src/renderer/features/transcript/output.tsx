import { useLayoutEffect, useRef } from 'react';
import { transcript as text } from '../../text.ts';
import { AnsiText } from '../../components/code/ansi-text.tsx';
import { WrapButton } from '../../components/code/code-block.tsx';
import { useWrapped } from '../../components/code/wrapped.tsx';
import { ScrollText } from '../../components/scroll-region.tsx';
import { useMaskedText } from './masked.tsx';
import cardStyles from './card.module.css';

interface OutputProps {
  text: string;
  label?: string;
  /** Stays at its end while more comes. */
  live?: boolean;
  /** Sentences, whose lines have no columns that must be kept. */
  wrap?: boolean;
}

/** What was printed, as it comes and in its colours. Whoever scrolls up in it is left there. */
export function Output({ text: printed, label = text.outputLabel, live = false, wrap = false }: OutputProps) {
  const { masked: output, note } = useMaskedText(printed);
  const box = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (live && sticks.current && output !== '' && element) element.scrollTop = element.scrollHeight;
  }, [live, output]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!live || !element) return;
    const onScroll = (): void => {
      sticks.current = element.scrollHeight - element.scrollTop - element.clientHeight < 24;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [live]);
  const [wrapped, toggleWrapped] = useWrapped(label, wrap);
  const longest = output.length < longLine || wrap ? 0 : maxLineLength(output);
  if (output === '') return <p className="meta">{text.noOutput}</p>;
  return (
    <>
      <ScrollText ref={box} className={wrapped ? 'out wrap' : 'out'} label={label}>
        <AnsiText text={output.replace(/\n$/, '')} />
      </ScrollText>
      {note}
      {longest >= longLine && (
        <p className={`meta ${cardStyles.withAct}`}>
          <span>{text.longLine(longest)}</span>
          <WrapButton wrapped={wrapped} onToggle={toggleWrapped} />
        </p>
      )}
    </>
  );
}

/** From here on a line is told apart, with a way to see all of it. */
const longLine = 1000;

function maxLineLength(output: string): number {
  let [longest, start] = [0, 0];
  for (let end = output.indexOf('\n'); end !== -1; end = output.indexOf('\n', start)) {
    longest = Math.max(longest, end - start);
    start = end + 1;
  }
  return Math.max(longest, output.length - start);
}
