import type { ReactNode, Ref } from 'react';

/** What scrolls must be reachable by keyboard, although nothing in it can be pressed. */
export const keyboardScrollable = { tabIndex: 0 };

interface ScrollRegionProps {
  label: string;
  className: string;
  children: ReactNode;
}

export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    <section className={className} aria-label={label} {...keyboardScrollable}>
      {children}
    </section>
  );
}

/** The same for text that keeps its line breaks. */
export function ScrollText({ ref, ...props }: ScrollRegionProps & { ref?: Ref<HTMLElement> }) {
  const { label, className, children } = props;
  return (
    <section ref={ref} className={className} aria-label={label} {...keyboardScrollable}>
      <pre>{children}</pre>
    </section>
  );
}
