import { useLayoutEffect, useRef } from 'react';
import { transcript as text } from '../../text.ts';
import { AnsiText } from '../../components/code/ansi-text.tsx';
import { ScrollText } from '../../components/scroll-region.tsx';

interface OutputProps {
  text: string;
  label?: string;
  /** Stays at its end while more comes. */
  live?: boolean;
  /** Sentences, whose lines have no columns that must be kept. */
  wrap?: boolean;
}

/** What was printed, as it comes and in its colours. Whoever scrolls up in it is left there. */
export function Output({ text: output, label = text.outputLabel, live = false, wrap = false }: OutputProps) {
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
  if (output === '') return <p className="meta">{text.noOutput}</p>;
  return (
    <ScrollText ref={box} className={wrap ? 'out wrap' : 'out'} label={label}>
      <AnsiText text={output.replace(/\n$/, '')} />
    </ScrollText>
  );
}
