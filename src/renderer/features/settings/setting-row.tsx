import { useId, type ReactNode } from 'react';
import { Segments, type SegmentsProps } from './segments.tsx';
import { Switch, type SwitchProps } from './switch.tsx';
import styles from './settings.module.css';

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
