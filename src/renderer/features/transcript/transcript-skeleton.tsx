/** Stands where the session will be, without moving. */
export function Skeleton({ label }: { label: string }) {
  return (
    <output className="log skeleton" aria-label={label}>
      {[62, 78, 45].map((width) => (
        <div className="skel-row" key={width}>
          <span className="skel" />
          <span className="skel" style={{ width: `${width}%` }} />
        </div>
      ))}
    </output>
  );
}
