import type { ReactNode } from 'react';
import memoryStyles from './memory.module.css';
import settingsStyles from './settings.module.css';

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
      <ul className={settingsStyles.setList}>{children}</ul>
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
