import { useEffect, useRef, useState } from 'react';
import { prose } from '../../text.ts';
import { Button, IconButton } from '../button.tsx';
import { ScrollText } from '../scroll-region.tsx';
import { CodeText } from './code-text.tsx';
import { knownLanguage } from './languages.ts';
import { useWrapped } from './wrapped.tsx';
import styles from './code.module.css';

interface CodeBlockProps {
  code: string;
  /** As the fence names it; a path such as "a/b.ts" is shown and read by its extension. */
  language: string;
  /** True while code may still be added. */
  growing: boolean;
}

export function CodeBlock({ code, language, growing }: CodeBlockProps) {
  const name = language === '' ? prose.plainText : language;
  const [wrapped, toggleWrapped] = useWrapped('code');
  return (
    <figure className="codebox" dir="ltr">
      <header>
        <span className="meta mono cut grow">{name}</span>
        <WrapButton wrapped={wrapped} onToggle={toggleWrapped} />
        <CopyButton text={code} disabled={growing} />
      </header>
      <ScrollText className={wrapped ? 'code wrap' : 'code'} label={prose.code(name)}>
        <CodeText code={code} language={knownLanguage(language.split('.').at(-1) ?? '')} growing={growing} />
      </ScrollText>
    </figure>
  );
}

/** Lines as they are, or broken where the column ends. */
export function WrapButton({ wrapped, onToggle }: { wrapped: boolean; onToggle: () => void }) {
  return (
    <Button kind="quiet" small className={styles.wrapLines} aria-pressed={wrapped} onClick={onToggle}>
      {prose.wrap}
    </Button>
  );
}

const copiedMs = 1500;

type CopyState = 'idle' | 'copied' | 'failed';

function outcomeOf(state: CopyState): string | null {
  if (state === 'idle') return null;
  return state === 'copied' ? prose.copied : prose.copyFailed;
}

interface CopyButtonProps {
  /** Worked out when it is asked for, where that costs something. */
  text: string | (() => string | Promise<string>);
  disabled?: boolean;
  /** What it says in place of "Copy". */
  words?: string;
  /** Name of one that shows an icon alone. */
  label?: string;
  /** In place of the text itself. */
  write?: (text: string) => Promise<void>;
}

export function CopyButton({
  text,
  disabled = false,
  words = prose.copy,
  label,
  write = writeText,
}: CopyButtonProps) {
  const [state, setState] = useState<CopyState>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (): Promise<void> => {
    const taken = await succeeds(Promise.resolve(typeof text === 'string' ? text : text()).then(write));
    setState(taken ? 'copied' : 'failed');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState('idle'), copiedMs);
  };
  const shared = {
    icon: state === 'copied' ? 'check' : 'copy',
    disabled,
    onClick: () => void copy(),
  } as const;
  if (label !== undefined) {
    return <IconButton {...shared} label={outcomeOf(state) ?? label} />;
  }
  return (
    <Button kind="quiet" small {...shared}>
      {outcomeOf(state) ?? words}
    </Button>
  );
}

const writeText = (text: string): Promise<void> => navigator.clipboard.writeText(text);

/** Refused where the page has no permission or no focus. */
function succeeds(written: Promise<void>): Promise<boolean> {
  return written.then(
    () => true,
    () => false,
  );
}
