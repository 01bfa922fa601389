import { useState, type ReactNode } from 'react';
import type { Source } from '../../protocol/foreign-text.ts';
import { transcript } from '../text.ts';
import { SafeLink } from './link.tsx';
import { Popover } from './popover.tsx';
import { VisibleText } from './visible-text.tsx';
import styles from './source-link.module.css';

/** What names a source: it opens a page outside of the window, and shows a passage in it. */
export function SourceLink({ source, children }: { source: Source; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const { url, title, passage } = source;
  if (passage === undefined) return <SafeLink href={url}>{children}</SafeLink>;
  return (
    <Popover
      open={open}
      onOpen={setOpen}
      label={transcript.passage(title)}
      className={styles.passage}
      trigger={
        <button type="button" className={styles.button} title={title}>
          {children}
        </button>
      }
    >
      <p className="meta">
        <VisibleText text={title} oneLine />
      </p>
      <p className={styles.text}>
        <VisibleText text={passage} />
      </p>
    </Popover>
  );
}
