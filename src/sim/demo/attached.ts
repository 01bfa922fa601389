/** A file that the person attached, as the client tells it behind their words (C2). */
export interface DemoFile {
  name: string;
  isImage: boolean;
  /** Where tools find it; undefined = the client names no place. */
  path: string | undefined;
}

const BLOCK = /\n*\[Attached files:\]\n([\s\S]*)$/;
const LINE = /^- (.+) \(file_id: (\S+), \d+ bytes, ([^)]*)\)$/;

export function splitAttached(message: string): { words: string; files: DemoFile[] } {
  const block = BLOCK.exec(message);
  if (block === null) return { words: message, files: [] };
  const lines = (block[1] ?? '').split('\n');
  const files = lines.flatMap((line): DemoFile[] => {
    const [found, name = '', id = '', mime = ''] = LINE.exec(line) ?? [];
    if (found === undefined) return [];
    const isImage = /^image\/(?:png|jpeg|gif|webp)$/.test(mime);
    return [{ name, isImage, path: lines.find((other) => other !== line && other.includes(id)) }];
  });
  return { words: message.slice(0, block.index), files };
}
