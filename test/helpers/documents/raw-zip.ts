/** Zips as no honest program writes them: what is said of an entry need not be true. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface RawEntry {
  name: string;
  content: Uint8Array | string;
  /** Stored unless given. */
  packed?: boolean;
  /** What it says that it unpacks to; the truth unless given. */
  saidBytes?: number;
  saidCrc?: number;
  isEncrypted?: boolean;
  /** The bytes of the entry before it, once more. */
  isSame?: boolean;
}

/** @param saidEntries how many it says that it holds */
export function rawZip(entries: readonly RawEntry[], saidEntries = entries.length): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  let last = { at: 0, packed: Buffer.alloc(0), crc: 0, size: 0 };
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    if (!entry.isSame) {
      const content = Buffer.from(entry.content);
      const packed = entry.packed ? deflateRawSync(content, { level: 9 }) : content;
      last = { at, packed, crc: crc32(content), size: content.length };
    }
    const method = entry.packed ? 8 : 0;
    const common = (header: Buffer, from: number): void => {
      header.writeUInt16LE(20, from);
      header.writeUInt16LE(entry.isEncrypted ? 1 : 0, from + 2);
      header.writeUInt16LE(method, from + 4);
      header.writeUInt32LE(entry.saidCrc ?? last.crc, from + 10);
      header.writeUInt32LE(last.packed.length, from + 14);
      header.writeUInt32LE(entry.saidBytes ?? last.size, from + 18);
      header.writeUInt16LE(name.length, from + 22);
    };
    if (!entry.isSame) {
      const local = Buffer.alloc(30);
      local.writeUInt32LE(0x04034b50, 0);
      common(local, 4);
      locals.push(local, name, last.packed);
      at += 30 + name.length + last.packed.length;
    }
    const listed = Buffer.alloc(46);
    listed.writeUInt32LE(0x02014b50, 0);
    listed.writeUInt16LE(20, 4);
    common(listed, 6);
    listed.writeUInt32LE(last.at, 42);
    central.push(listed, name);
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(saidEntries & 0xffff, 8);
  end.writeUInt16LE(saidEntries & 0xffff, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, list, end]);
}
