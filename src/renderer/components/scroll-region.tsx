import type { ReactNode, Ref } from 'react';

/** What scrolls must be reachable by keyboard, although nothing in it can be pressed. */
export const keyboardScrollable = { tabIndex: 0 };
/** A group: as landmarks, the many of a long answer would be noise. */
const scrollable = { ...keyboardScrollable, role: 'group' };

interface ScrollRegionProps {
  label: string;
  className: string;
  children: ReactNode;
}

export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    <div className={className} aria-label={label} {...scrollable}>
      {children}
    </div>
  );
}

/** The same for text that keeps its line breaks. */
export function ScrollText({ ref, ...props }: ScrollRegionProps & { ref?: Ref<HTMLDivElement> }) {
  const { label, className, children } = props;
  return (
    <div ref={ref} className={className} aria-label={label} {...scrollable}>
      <pre>{children}</pre>
    </div>
  );
}
