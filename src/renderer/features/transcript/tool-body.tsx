import { useLayoutEffect, useRef } from 'react';
import type { ToolDisplay, ToolItem } from '../../../protocol/model.ts';
import { transcript as text } from '../../text.ts';
import { CodeText } from '../../components/code/code-text.tsx';
import { languageOfPath } from '../../components/code/languages.ts';
import { DiffView } from '../../components/diff-view.tsx';
import { ScrollRegion, ScrollText } from '../../components/scroll-region.tsx';
import { stateWords } from './tool-facts.tsx';

const shownEntries = 200;

/** What a row holds when it is open. It is flat on the card: a card never holds a card. */
export function ToolBody({ item }: { item: ToolItem }) {
  return (
    <>
      {item.repairs.length > 0 && <p className="meta">{text.repairs(item.repairs)}</p>}
      <Content item={item} />
    </>
  );
}

function Content({ item }: { item: ToolItem }) {
  if (item.state === 'running' || item.state === 'streaming') return <LiveOutput item={item} />;
  if (item.display && item.display.kind !== 'command') return <Display display={item.display} />;
  const output = item.output === '' ? item.result : item.output;
  if (item.display?.kind === 'command' || item.output !== '') return <Output text={output} />;
  return (
    <>
      <Arguments args={item.args} />
      {item.result !== '' && (
        <>
          <p className="meta">{text.resultLabel}</p>
          <Output text={item.result} wrap />
        </>
      )}
    </>
  );
}

function Display({ display }: { display: Exclude<ToolDisplay, { kind: 'command' }> }) {
  switch (display.kind) {
    case 'file':
      return <FileLines {...display} />;
    case 'diff':
      return <DiffView diff={display} label={display.path} />;
    case 'list':
      return (
        <Hits
          cut={
            display.truncated
              ? text.cutList(Math.min(shownEntries, display.entries.length), display.total)
              : null
          }
        >
          {display.entries.slice(0, shownEntries).map((entry) => (
            <li key={entry}>{entry}</li>
          ))}
        </Hits>
      );
    case 'matches': {
      const width = Math.max(0, ...display.matches.map((match) => place(match).length)) + 2;
      return (
        <Hits
          cut={
            display.truncated
              ? text.cutList(Math.min(shownEntries, display.matches.length), display.total)
              : null
          }
        >
          {display.matches.slice(0, shownEntries).map((match) => (
            <li key={place(match)} title={place(match)}>
              <span className="t3">{place(match).padEnd(width)}</span>
              {match.text.trim()}
            </li>
          ))}
        </Hits>
      );
    }
  }
}

function place(match: { path: string; line: number }): string {
  return `${match.path}:${match.line}`;
}

function Hits({ cut, children }: { cut: string | null; children: React.ReactNode }) {
  return (
    <>
      <ul className="hits">{children}</ul>
      {cut !== null && <p className="meta">{cut}</p>}
    </>
  );
}

function FileLines({ path, text: code, firstLine }: Extract<ToolDisplay, { kind: 'file' }>) {
  const body = code.endsWith('\n') ? code.slice(0, -1) : code;
  const numbers = body.split('\n').map((_, index) => firstLine + index);
  return (
    <ScrollRegion className="code lines" label={path}>
      <pre className="n" aria-hidden="true">
        {numbers.join('\n')}
      </pre>
      <pre>
        <CodeText code={body} language={languageOfPath(path)} />
      </pre>
    </ScrollRegion>
  );
}

/** Command output as it comes; stays at its end. */
function LiveOutput({ item }: { item: ToolItem }) {
  if (item.state === 'streaming' && item.output === '') return <Arguments args={item.args} />;
  return item.output === '' ? <p className="meta">{stateWords(item)}</p> : <Output text={item.output} live />;
}

interface OutputProps {
  text: string;
  live?: boolean;
  wrap?: boolean;
}

/** `wrap`: sentences, whose lines have no columns that must be kept. */
export function Output({ text: output, live = false, wrap = false }: OutputProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (live && output !== '' && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [live, output]);
  if (output === '') return <p className="meta">{text.noOutput}</p>;
  return (
    <ScrollText ref={box} className={wrap ? 'out wrap' : 'out'} label={text.outputLabel}>
      {output.replace(/\n$/, '')}
    </ScrollText>
  );
}

/** As the model sent them: untrusted, shown as they are. */
function Arguments({ args }: { args: unknown }) {
  if (args === null || args === undefined) return null;
  const shown = typeof args === 'string' ? args : JSON.stringify(args, null, 2);
  return (
    <ScrollText className="out" label={text.argumentsLabel}>
      {shown}
    </ScrollText>
  );
}
