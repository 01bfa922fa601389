import { sessions as text } from '../../text.ts';

const widths = [70, 52, 84, 60, 44];

/** Stands where the sessions will be, without moving. */
export function ListSkeleton({ rail }: { rail: boolean }) {
  return (
    <output className="list-skeleton" aria-label={text.loading}>
      {widths.map((width) => (
        <span key={width} className="skel" style={{ width: rail ? 16 : `${width}%` }} />
      ))}
    </output>
  );
}
