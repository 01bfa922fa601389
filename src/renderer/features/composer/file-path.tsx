/** A file by its name, with its folder behind it; a long folder is cut in its middle, where it says least. */
export function FilePath({ path }: { path: string }) {
  const cut = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(0, cut));
  const last = folder.lastIndexOf('/');
  return (
    <span className="file-path" dir="ltr">
      <span className="name cut">{path.slice(cut + 1)}</span>
      {folder !== '' && (
        <span className="meta folder">
          {last > 0 && <span className="cut">{folder.slice(0, last)}</span>}
          <span>{folder.slice(Math.max(0, last))}</span>
        </span>
      )}
    </span>
  );
}
