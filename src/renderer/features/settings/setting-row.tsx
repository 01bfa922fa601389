import { useId, type ReactNode } from 'react';

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
    <div className="set-row">
      <RowWords {...{ label, help, helpId }} />
      <div className="set-ctl">{children(helpId)}</div>
    </div>
  );
}

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
    <section className="set-group">
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
