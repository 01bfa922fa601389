/** What the panes of the settings are made of: groups, rows, lists, and what is said where there is nothing to list. */
import { useId, useState, type ComponentProps, type ReactNode } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { Select } from '../../components/fields.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { settings } from '../../text.ts';
import {
  ActionButton,
  Segments,
  Switch,
  TypedField,
  type SegmentsProps,
  type SwitchProps,
  type TypedFieldProps,
} from './controls.tsx';
import type { Asked, Failure } from './use-attempt.ts';
import memoryStyles from './memory.module.css';
import styles from './settings.module.css';

interface FailureLineProps {
  failure: Failure;
  /** Where nothing was pressed: the way to ask once more. */
  onAgain?: () => void;
}

/** What went wrong, and what to do next, beside what was pressed. */
export function FailureLine({ failure, onAgain }: FailureLineProps) {
  return (
    <div className={styles.failure} role="alert">
      <Mark icon="failed" tone="fail" />
      <p className="grow">
        {failure.message} {failure.advice !== '' && <span className="t2">{failure.advice}</span>}
      </p>
      {onAgain && (
        <Button small onClick={onAgain}>
          {settings.pending.retry}
        </Button>
      )}
    </div>
  );
}

interface UnansweredProps {
  asked: Asked<unknown>;
  text: { failed: string; asking: string };
}

/** Why what a pane asked for is not there, or that it is on its way. */
export function Unanswered({ asked: { value, failure, again }, text }: UnansweredProps) {
  if (failure)
    return <FailureLine failure={{ message: text.failed, advice: failure.message }} onAgain={again} />;
  return value === null && <p className={`t3 ${styles.setNote}`}>{text.asking}</p>;
}

/** In the place of rows: that there are none, and how there would be some. */
export function EmptyNote({ text, help = '' }: { text: string; help?: string }) {
  return (
    <p className={`t2 ${styles.setNote}`}>
      {text} {help !== '' && <span className="meta block">{help}</span>}
    </p>
  );
}

interface SettingRowProps {
  label: string;
  help: string;
  /** The control; it gets the id of the help line for its `aria-describedby`. */
  children: (helpId: string) => ReactNode;
}

/** A setting of the window or of the whole Andiron: its name, one line of help, its control at the right. */
export function SettingRow({ label, help, children }: SettingRowProps) {
  const helpId = useId();
  return (
    <div className={styles.setRow}>
      <RowWords {...{ label, help, helpId }} />
      <div className={styles.setCtl}>{children(helpId)}</div>
    </div>
  );
}

/** A setting that is on or off. */
export function SwitchRow({ label, help, ...control }: RowTexts & Pick<SwitchProps, 'on' | 'onChange'>) {
  return (
    <SettingRow {...{ label, help }}>
      {(helpId) => <Switch label={label} describedBy={helpId} {...control} />}
    </SettingRow>
  );
}

/** A setting that is one of a few. */
export function ChoiceRow<T extends string>({ label, help, ...choice }: RowTexts & Choice<T>) {
  return (
    <SettingRow {...{ label, help }}>
      {(helpId) => <Segments label={label} describedBy={helpId} {...choice} />}
    </SettingRow>
  );
}

/** A setting that is typed. */
export function TypedRow({
  label,
  help,
  ...field
}: RowTexts & Omit<TypedFieldProps, 'label' | 'describedBy'>) {
  return (
    <SettingRow {...{ label, help }}>
      {(helpId) => <TypedField label={label} describedBy={helpId} {...field} />}
    </SettingRow>
  );
}

/** A setting that is one of many. */
export function SelectRow({ label, help, ...choice }: RowTexts & ComponentProps<typeof Select>) {
  return (
    <SettingRow {...{ label, help }}>
      {(helpId) => <Select aria-label={label} aria-describedby={helpId} {...choice} />}
    </SettingRow>
  );
}

/** Something that is done at once. */
export function ActionRow({ label, help, ...button }: RowTexts & ComponentProps<typeof ActionButton>) {
  return (
    <SettingRow {...{ label, help }}>
      {(helpId) => <ActionButton describedBy={helpId} {...button} />}
    </SettingRow>
  );
}

type RowTexts = Pick<SettingRowProps, 'label' | 'help'>;
type Choice<T extends string> = Omit<SegmentsProps<T>, 'label' | 'describedBy'>;

/** The name of a setting over its line of help. */
export function RowWords({ label, help, helpId }: { label: string; help: string; helpId: string }) {
  return (
    <div className="min-0">
      <p>{label}</p>
      <p className="meta" id={helpId}>
        {help}
      </p>
    </div>
  );
}

interface SettingGroupProps {
  label: string;
  help: string;
  /** At the right of the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A heading with one line of help over what belongs to it. */
export function SettingGroup({ label, help, aside, children }: SettingGroupProps) {
  return (
    <section className={styles.setGroup}>
      <header>
        <div className="min-0">
          <h2>{label}</h2>
          {help !== '' && <p className="meta">{help}</p>}
        </div>
        {aside}
      </header>
      {children}
    </section>
  );
}

interface RowProps {
  label: string;
  /** In a list of pairs: takes a line of its own. Such rows come last. */
  wide?: boolean;
  children: ReactNode;
}

/** A name and what stands for it, in a list of such rows. */
export function Row({ label, wide = false, children }: RowProps) {
  return (
    <div className={wide ? styles.wideRow : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ListGroupProps {
  title: string;
  /** The group among others, where its title alone does not say. */
  label?: string;
  /** After the title. */
  mark?: ReactNode;
  /** Rows. */
  children: ReactNode;
}

/** Rows of a list that belong together, under a quiet heading. */
export function ListGroup({ title, label = title, mark, children }: ListGroupProps) {
  return (
    <section className={memoryStyles.listGroup} aria-label={label}>
      <h3 className="meta cut">
        <span dir="auto">{title}</span> {mark}
      </h3>
      <ul className={styles.setList}>{children}</ul>
    </section>
  );
}

interface ListWordsProps {
  name: string;
  /** Beside the name. */
  mark?: ReactNode;
  help: ReactNode;
  /** For the `aria-describedby` of the control. */
  helpId: string;
}

/** What stands at the left of a control in such a list. */
export function ListWords({ name, mark, help, helpId }: ListWordsProps) {
  return (
    <span className="min-0">
      <span className="cut block" dir="auto">
        {name} {mark}
      </span>
      <span className="meta block" id={helpId}>
        {help}
      </span>
    </span>
  );
}

interface NameCellProps {
  name: ReactNode;
  /** Below it, in quiet words. */
  about: ReactNode;
  /** All of those words, where they may be cut. */
  title?: string;
}

/** The first cell of a row that is about somebody or something. */
export function NameCell({ name, about, title }: NameCellProps) {
  return (
    <span className="min-0">
      <span className="cut block medium" dir="auto">
        {name}
      </span>
      <span className="meta cut block" dir="auto" title={title}>
        {about}
      </span>
    </span>
  );
}

interface OpeningRowProps {
  className: string;
  /** What the button at its end opens. */
  label: string;
  startsOpen?: boolean;
  details: ReactNode;
  /** Below the row, open or not. */
  below?: ReactNode;
  children: ReactNode;
}

/** A row of a list that opens to show all of what it is about. */
export function OpeningRow({
  className,
  label,
  startsOpen = false,
  details,
  below,
  children,
}: OpeningRowProps) {
  const [open, setOpen] = useState(startsOpen);
  return (
    <li className={className}>
      {children}
      <IconButton
        icon={open ? 'down' : 'right'}
        label={label}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      {below}
      {open && details}
    </li>
  );
}
