import type { StoragePart, StorageSizes } from '../../../protocol/person-methods.ts';
import { person } from '../../text.ts';
import { bytes } from '../../formats.ts';
import { CopyButton } from '../../components/code/code-block.tsx';
import { timeOfDay } from '../../components/time-of-day.ts';
import { IconButton } from '../../components/button.tsx';
import { dayOf } from './days.ts';
import { FailureLine, SettingGroup } from './pane-parts.tsx';
import { StorageCare } from './storage-care.tsx';
import { useAsked } from './requests.ts';
import settingsStyles from './settings.module.css';
import storageStyles from './storage.module.css';

const text = person.storage;
const { rows } = text;

/** Where everything lies, how large it is, and what can be tidied up. Whatever could not be measured is called unknown. */
export function StoragePane() {
  const { value: sizes, failure, again } = useAsked('storage', (ask) => ask.storage());
  return (
    <div className={settingsStyles.pane}>
      <SettingGroup {...rows.folder} aside={sizes && <CopyButton text={sizes.dataDir} />}>
        <p className={`${settingsStyles.setNote} mono ${storageStyles.dataPath}`} title={sizes?.dataDir}>
          {sizes?.dataDir ?? (failure ? text.unknown : text.asking)}
        </p>
      </SettingGroup>
      <SettingGroup
        {...rows.sizes}
        aside={
          sizes && (
            <span className={storageStyles.measured}>
              <span className="meta num">{text.at(timeOfDay(sizes.at))}</span>
              <IconButton icon="redo" label={text.again} onClick={again} />
            </span>
          )
        }
      >
        {failure && (
          <FailureLine failure={{ message: text.failed, advice: failure.message }} onAgain={again} />
        )}
        {!sizes && !failure && <p className={`t3 ${settingsStyles.setNote}`}>{text.measuring}</p>}
        {sizes && <Sizes sizes={sizes} />}
      </SettingGroup>
      <StorageCare sizes={sizes} onChanged={again} />
    </div>
  );
}

const order: StoragePart[] = [
  'database',
  'attachments',
  'backups',
  'undo',
  'engine',
  'models',
  'logs',
  'other',
];

function Sizes({ sizes }: { sizes: StorageSizes }) {
  const { parts, freeBytes } = sizes;
  const known = order.map((part) => parts[part]);
  const total = known.reduce<number | null>(
    (sum, size) => (sum === null || size === null ? null : sum + size),
    0,
  );
  return (
    <dl className={`${storageStyles.sizes} num`}>
      {order.map((part) => (
        <div key={part} className={parts[part] === 0 ? storageStyles.isNone : ''}>
          <dt>{text.parts[part]}</dt>
          <dd>{sized(parts[part])}</dd>
          {part === 'database' && <InDatabase sizes={sizes} />}
        </div>
      ))}
      <div className={storageStyles.sumOf}>
        <dt>{text.total}</dt>
        <dd>{sized(total)}</dd>
      </div>
      <div>
        <dt>{text.free}</dt>
        <dd>{freeBytes === null ? text.unknown : bytes(freeBytes)}</dd>
      </div>
    </dl>
  );
}

/** What the database is made of, under its own figure. */
function InDatabase({ sizes: { sessions, deleted, unusedBytes, parts } }: { sizes: StorageSizes }) {
  const { inDatabase: words } = text;
  const rest = parts.database === null ? null : parts.database - sessions.bytes - deleted.bytes - unusedBytes;
  return (
    <dd className={`${storageStyles.inside} meta`}>
      <span>{words.sessions(sessions.count)}</span>
      <span>{bytes(sessions.bytes)}</span>
      {deleted.count > 0 && (
        <>
          <span>
            {words.deleted(deleted.count)}
            {deleted.nextAt !== null && `, ${words.nextAt(dayOf(deleted.nextAt))}`}
          </span>
          <span>{bytes(deleted.bytes)}</span>
        </>
      )}
      <span>{words.unused}</span>
      <span>{bytes(unusedBytes)}</span>
      {rest !== null && rest > 0 && (
        <>
          <span>{words.rest}</span>
          <span>{bytes(rest)}</span>
        </>
      )}
    </dd>
  );
}

function sized(size: number | null): string {
  if (size === null) return text.unknown;
  return size === 0 ? text.none : bytes(size);
}
