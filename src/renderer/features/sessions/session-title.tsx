/** The title of a session where there is little room: it is cut, and the number of a copy behind it never is. */
export function SessionTitle({ title }: { title: string }) {
  const [, stem, number] = /^(.+)( \(\d{1,4}\))$/s.exec(title) ?? [];
  return (
    <span className="ses-title" dir="auto">
      <span className="cut">{stem ?? title}</span>
      {number !== undefined && <span className="nth">{number}</span>}
    </span>
  );
}
