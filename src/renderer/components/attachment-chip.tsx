import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface AttachmentChipProps {
  name: string;
  /** Kind and size, or what is the matter with it. */
  meta: string;
  /** Of an image that can be drawn. */
  picture?: string | null;
  icon: IconName;
  tone?: 'run' | 'fail';
  /** Opens it; its name says so. */
  look?: { label: string; onLook: () => void } | undefined;
  /** What can be done with it. */
  children?: ReactNode;
}

/** A file that goes, or went, with a message. */
export function AttachmentChip({ name, meta, picture, icon, tone, look, children }: AttachmentChipProps) {
  const whole = `${name}\n${meta}`;
  const content = (
    <>
      <span className={tone ? `thumb ${tone}` : 'thumb'}>
        {/* Its name stands beside it. */}
        {picture ? <img src={picture} alt="" decoding="async" /> : <Icon name={icon} />}
      </span>
      <span className="words" title={whole}>
        <FileName name={name} silent={look !== undefined} />
        <span className={tone === 'fail' ? 'meta fail' : 'meta cut'}>{meta}</span>
      </span>
    </>
  );
  return (
    <>
      {look ? (
        <button type="button" className="look" title={whole} onClick={look.onLook}>
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

/** Too long, it is cut before its end, which says what it is. `silent`: something else names it. */
function FileName({ name, silent }: { name: string; silent: boolean }) {
  const end = /\.[^\s.]{1,8}$/u.exec(name)?.index ?? name.length;
  return (
    <span className="file-name" dir="auto" aria-hidden={silent}>
      <span className="cut">{name.slice(0, end)}</span>
      <span>{name.slice(end)}</span>
    </span>
  );
}
