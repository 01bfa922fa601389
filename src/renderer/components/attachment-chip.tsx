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
  /** What can be done with it. */
  children?: ReactNode;
}

/** A file that goes, or went, with a message. */
export function AttachmentChip({ name, meta, picture, icon, tone, children }: AttachmentChipProps) {
  return (
    <>
      <span className={tone ? `thumb ${tone}` : 'thumb'}>
        {/* Its name stands beside it. */}
        {picture ? <img src={picture} alt="" decoding="async" /> : <Icon name={icon} />}
      </span>
      <span className="words" title={`${name}\n${meta}`}>
        <span className="cut" dir="auto">
          {name}
        </span>
        <span className={tone === 'fail' ? 'meta cut fail' : 'meta cut'}>{meta}</span>
      </span>
      {children}
    </>
  );
}
