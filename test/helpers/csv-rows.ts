/** CSV as RFC 4180 says, in rows by the names of the first line. */
export function csvRows(csv: string): Record<string, string>[] {
  const [head = [], ...rows] = csv
    .split('\r\n')
    .slice(0, -1)
    .map((line) => [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)])
    .map((fields) => fields.map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain));
  return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
}
