import { useState, type ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './attachment.module.css';

interface AttachmentChipProps {
  name: string;
  /** Kind and size, or what is the matter with it. */
  meta: string;
  /** Of an image that can be drawn. */
  picture?: string | null;
  /** In place of `meta`, where the picture turns out not to be one that can be drawn. */
  undrawn?: string;
  icon: IconName;
  tone?: 'run' | 'fail';
  /** Opens it; its name says so. */
  look?: { label: string; onLook: () => void } | undefined;
  /** What can be done with it. */
  children?: ReactNode;
}

/** A file that goes, or went, with a message. */
export function AttachmentChip(props: AttachmentChipProps) {
  const { name, picture, undrawn, icon, tone, look, children } = props;
  const [broken, setBroken] = useState<string | null>(null);
  const drawn = picture && picture !== broken ? picture : null;
  const warns = undrawn !== undefined && picture != null && drawn === null;
  const meta = warns ? undrawn : props.meta;
  const state = warns ? 'warn' : tone;
  const whole = `${name}\n${meta}`;
  const content = (
    <>
      <span className={state ? `${styles.thumb} ${state}` : styles.thumb}>
        {/* Its name stands beside it. */}
        {drawn === null ? (
          <Icon name={warns ? 'alert' : icon} />
        ) : (
          <img src={drawn} alt="" decoding="async" onError={() => setBroken(drawn)} />
        )}
      </span>
      <span className={styles.words} title={whole}>
        <FileName name={name} silent={look !== undefined} />
        <span className={metaClass(state)}>{meta}</span>
      </span>
    </>
  );
  return (
    <>
      {look ? (
        <button type="button" className={styles.look} title={whole} onClick={look.onLook}>
          <span className="sr-only">{look.label}</span>
          {content}
        </button>
      ) : (
        content
      )}
      {children}
    </>
  );
}

/** What is the matter is read as a whole. */
function metaClass(tone: AttachmentChipProps['tone'] | 'warn'): string {
  return tone === 'fail' || tone === 'warn' ? `meta ${tone}` : 'meta cut';
}

/** Too long, it is cut before its end, which says what it is. `silent`: something else names it. */
function FileName({ name, silent }: { name: string; silent: boolean }) {
  const end = /\.[^\s.]{1,8}$/u.exec(name)?.index ?? name.length;
  return (
    <span className={styles.fileName} dir="auto" aria-hidden={silent}>
      <span className="cut">{name.slice(0, end)}</span>
      <span>{name.slice(end)}</span>
    </span>
  );
}
