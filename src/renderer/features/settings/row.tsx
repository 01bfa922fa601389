import type { ReactNode } from 'react';

/** A name and what stands for it, in a list of such rows. */
export function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
