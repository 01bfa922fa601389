import { useEffect, useRef, useState } from 'react';
import { prose } from '../../text.ts';
import { Button } from '../button.tsx';
import { ScrollText } from '../scroll-region.tsx';
import { CodeText } from './code-text.tsx';
import { knownLanguage } from './languages.ts';

interface CodeBlockProps {
  code: string;
  /** As the fence names it; a path such as "src/a.ts" is shown and read by its extension. */
  language: string;
  /** True while code may still be added. */
  growing: boolean;
}

export function CodeBlock({ code, language, growing }: CodeBlockProps) {
  const name = language === '' ? prose.plainText : language;
  return (
    <figure className="codebox">
      <header>
        <span className="meta mono cut grow">{name}</span>
        <CopyButton text={code} disabled={growing} />
      </header>
      <ScrollText className="code" label={prose.code(name)}>
        <CodeText code={code} language={knownLanguage(language.split('.').at(-1) ?? '')} />
      </ScrollText>
    </figure>
  );
}

const copiedMs = 1500;
const words = { idle: prose.copy, copied: prose.copied, failed: prose.copyFailed } as const;

export function CopyButton({ text, disabled = false }: { text: string; disabled?: boolean }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (): Promise<void> => {
    const taken = await writeClipboard(text);
    setState(taken ? 'copied' : 'failed');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState('idle'), copiedMs);
  };
  return (
    <Button
      kind="quiet"
      small
      icon={state === 'copied' ? 'check' : 'copy'}
      disabled={disabled}
      onClick={() => void copy()}
    >
      {words[state]}
    </Button>
  );
}

/** Refused where the page has no permission or no focus. */
function writeClipboard(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
