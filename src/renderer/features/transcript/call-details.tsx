import type { ToolItem } from '../../../protocol/model.ts';
import { transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/code/code-block.tsx';
import { jsonText } from './json-text.ts';
import { Output } from './output.tsx';
import styles from './card.module.css';

/** The buttons of an open call, while it is pointed at or focused. */
export function CallActions({
  item,
  open,
  onToggle,
}: {
  item: ToolItem;
  open: boolean;
  onToggle: () => void;
}) {
  return (
    <div className={styles.callActs}>
      {item.result !== '' && <CopyButton text={item.result} words={text.copyResult} />}
      <Button kind="quiet" small aria-expanded={open} onClick={onToggle}>
        {open ? text.hideDetails : text.details}
      </Button>
    </div>
  );
}

interface CallDetailsProps {
  item: ToolItem;
  /** A result that is JSON is broken into lines. */
  pretty?: boolean;
}

/** The call as the model sent it, and what the model read of it: untrusted, shown as they are. */
export function CallDetails({ item, pretty = false }: CallDetailsProps) {
  const args = argumentsText(item.args);
  return (
    <div className={styles.callDetails}>
      <div className={`meta ${styles.withAct}`}>
        <span>
          {text.argumentsLabel} <span className="mono">{item.tool}</span>
        </span>
        <CopyButton
          text={() => JSON.stringify({ tool: item.tool, arguments: item.args }, null, 2)}
          words={text.copyCall}
        />
      </div>
      {args === '' ? (
        <p className="meta">{text.noArguments}</p>
      ) : (
        <Output text={args} label={text.argumentsLabel} />
      )}
      <div className={`meta ${styles.withAct}`}>
        <span>{text.resultLabel}</span>
        {item.result !== '' && <CopyButton text={item.result} words={text.copyResult} />}
      </div>
      {item.result === '' ? (
        <p className="meta">{text.noResult}</p>
      ) : (
        <Output text={pretty ? prettyJson(item.result) : item.result} label={text.resultLabel} wrap />
      )}
    </div>
  );
}

export function argumentsText(args: unknown): string {
  if (args === null || args === undefined) return '';
  return typeof args === 'string' ? args : jsonText(args);
}

/** Longer ones are shown as they came. */
const maxJsonLength = 100_000;

function prettyJson(result: string): string {
  if (result.length > maxJsonLength || !/^\s*[{[]/.test(result)) return result;
  try {
    return jsonText(JSON.parse(result));
  } catch {
    return result;
  }
}
