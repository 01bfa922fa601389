import type { ReactNode } from 'react';
import { Mark } from '../../components/state-mark.tsx';
import profilesStyles from './profiles.module.css';

interface ChangedNoteProps {
  title: string;
  help: string;
  /** What leads to the text as it is saved now. */
  now: string;
  saved: string;
  children?: ReactNode;
}

/** What is being written was changed by somebody else: both texts are kept until the person says which. */
export function ChangedNote({ title, help, now, saved, children }: ChangedNoteProps) {
  return (
    <div className={profilesStyles.conflict} role="alert">
      <Mark icon="alert" tone="warn" />
      <div className="grow">
        <p>
          <span className="medium">{title}</span> {help}
        </p>
        <details>
          <summary className="meta">{now}</summary>
          <p className="out" dir="auto">
            {saved}
          </p>
        </details>
      </div>
      {children}
    </div>
  );
}
