/** Files of the person: saved where downloads go, read when one is chosen. */
export interface PageFiles {
  /** Parts become one file without becoming one text: a text of a page ends near 512 MB. */
  save: (name: string, content: string | readonly string[] | Uint8Array<ArrayBuffer>, type: string) => void;
  /** null = none was chosen. */
  pick: (accept: string) => Promise<File | null>;
  /** Any files, as they are; empty = none was chosen. */
  choose: () => Promise<File[]>;
  /** A JSON file that lies beside the built page; absent = nothing was built. */
  built?: (name: string) => Promise<unknown>;
  /** The same picture with `longest` pixels along its longest side; null = it is no larger, or nothing the page can read. */
  reduce?: (picture: File, longest: number) => Promise<ReducedPicture | null>;
}

export interface ReducedPicture {
  file: File;
  width: number;
  height: number;
}
