import { useMemo, useState } from 'react';
import type { ToolDisplay, ToolItem } from '../../../protocol/model.ts';
import { visibleName } from '../../../rules/visible-text/visible-text.ts';
import { transcript as text } from '../../text.ts';
import { CodeText } from '../../components/code/code-text.tsx';
import { languageOfPath } from '../../components/code/languages.ts';
import { Place } from '../../components/code/wrapped.tsx';
import type { Diff } from '../../components/diff-lines.ts';
import { DiffView } from '../../components/diff-view.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { argumentsText, CallActions, CallDetails } from './call-details.tsx';
import { editDiff } from './edit-diff.ts';
import { KeysOf, maskDiff, useMasked, useMaskedText } from './masked.tsx';
import { Output } from './output.tsx';
import { SearchHits } from './search-hits.tsx';
import { SentFiles } from './sent-files.tsx';
import { SourceList } from './source-list.tsx';
import { stateWords } from './tool-facts.tsx';
import { useExpanded } from './use-expanded.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import { wordsOf, type ErrorWords } from '../../commands/error-words.ts';
import { CommandChanged } from './command-changed.tsx';
import { useSession } from '../../stores/stores.ts';
import styles from './approval.module.css';
import resultsStyles from './results.module.css';

const shownEntries = 200;

/** What a row holds when it is open. It is flat on the card: a card never holds a card. */
export function ToolBody({ item }: { item: ToolItem }) {
  const [details, toggle] = useExpanded(`${item.id}:details`, false);
  return (
    <KeysOf item={item.id}>
      <Place name={item.id}>
        {!hasNoCard(item) && <CallActions item={item} open={details} onToggle={toggle} />}
        {item.edited && <OwnChange args={item.args} edited={item.edited} />}
        {item.repairs.length > 0 && <p className="meta">{text.repairs(item.repairs)}</p>}
        {item.edited && !hasNoCard(item) && <p className="meta">{text.edited.came}</p>}
        {item.attachments && <SentFiles attachments={item.attachments} label={text.pictures} />}
        {hasNoCard(item) ? <CallDetails item={item} pretty /> : <Content item={item} />}
        <WholeResult item={item} />
        {details && !hasNoCard(item) && <CallDetails item={item} />}
      </Place>
    </KeysOf>
  );
}

/** A tool that Andiron draws nothing for: what was asked and what came back is all there is. */
function hasNoCard({ state, display, output }: ToolItem): boolean {
  return state !== 'running' && state !== 'streaming' && display === null && output === '';
}

function Content({ item }: { item: ToolItem }) {
  const { display, output, result } = item;
  if (item.state === 'running' || item.state === 'streaming') return <LiveOutput item={item} />;
  if (display?.kind === 'sources')
    return (
      <>
        <SourceList sources={display.sources} />
        <Output text={result} />
      </>
    );
  if (display && display.kind !== 'command') return <Display display={display} pattern={item.subject} />;
  // The result of an edited call begins with what the lines above it already say.
  const said = item.edited && item.state === 'done' ? '' : result;
  return (
    <>
      <Output text={output === '' ? said : output} />
      {display?.changes !== undefined && <CommandChanged changes={display.changes} />}
    </>
  );
}

/** What the person changed, line by line: as the model had written it, and as it ran. */
function OwnChange({ args, edited }: { args: unknown; edited: NonNullable<ToolItem['edited']> }) {
  const { argument, text: ran } = edited;
  const own = typeof args === 'object' && args !== null ? (args as Record<string, unknown>)[argument] : null;
  const asked = typeof own === 'string' ? own : argumentsText(args);
  const diff = useMemo(() => editDiff(argument, asked, ran), [argument, asked, ran]);
  return (
    <div className={styles.asked}>
      <p className="meta">{text.edited.asked}</p>
      <DiffView diff={diff} label={text.edited.askedLabel} wrapped />
    </div>
  );
}

interface DisplayProps {
  display: Exclude<ToolDisplay, { kind: 'command' | 'sources' }>;
  pattern: string;
}

function Display({ display, pattern }: DisplayProps) {
  switch (display.kind) {
    case 'file':
      return <FileLines {...display} />;
    case 'diff':
      return <Change diff={display} />;
    case 'list':
      return <Entries {...display} />;
    case 'matches':
      return <SearchHits display={display} pattern={pattern} />;
  }
}

function Entries({ entries, total }: Extract<ToolDisplay, { kind: 'list' }>) {
  const shown = entries.slice(0, shownEntries);
  return (
    <>
      <ul className={`${resultsStyles.hits} ${resultsStyles.entries}`}>
        {shown.map((entry) => (
          <li key={entry} className="cut" title={visibleName(entry)}>
            <VisibleText text={entry} oneLine />
          </li>
        ))}
      </ul>
      {total > shown.length && <p className="meta">{text.cutList(shown.length, total)}</p>}
    </>
  );
}

function Change({ diff: display }: { diff: Diff }) {
  const { masked: diff, note } = useMasked(display, maskDiff);
  return (
    <>
      <DiffView diff={diff} label={diff.path} />
      {note}
    </>
  );
}

function FileLines({ path, text: read, firstLine, readAs }: Extract<ToolDisplay, { kind: 'file' }>) {
  const { masked: code, note } = useMaskedText(read);
  const body = code.endsWith('\n') ? code.slice(0, -1) : code;
  const numbers = body.split('\n').map((_, index) => firstLine + index);
  return (
    <>
      {readAs !== undefined && <p className="meta">{text.readAs(readAs)}</p>}
      <ScrollRegion className={`code ${resultsStyles.lines}`} label={path}>
        <pre className={resultsStyles.number} aria-hidden="true">
          {numbers.join('\n')}
        </pre>
        <pre>
          <CodeText code={body} language={languageOfPath(path)} />
        </pre>
      </ScrollRegion>
      {note}
    </>
  );
}

/** What it prints while it runs; before that the call as far as it is written. */
function LiveOutput({ item }: { item: ToolItem }) {
  if (item.output !== '') return <Output text={item.output} live />;
  const args = item.state === 'streaming' ? argumentsText(item.args) : '';
  if (args !== '') return <Output text={args} label={text.argumentsLabel} />;
  return <p className="meta">{stateWords(item)}</p>;
}

interface Read {
  text: string;
  next: number | null;
}

/** What the tool brought where the model read less of it: asked for piece by piece, when a person wants it. */
function WholeResult({ item }: { item: ToolItem }) {
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
