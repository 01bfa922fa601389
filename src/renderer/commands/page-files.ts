import type { DesktopBridge, DownloadOutcome } from '../../protocol/desktop.ts';

/** `handed-over` = a browser has it: where it goes, and whether it gets there, no page is told. */
export type SaveOutcome = DownloadOutcome | 'handed-over';

/** Only the desktop has one. */
export type FolderPicker = Pick<DesktopBridge, 'chooseFolder'>;

/** Files of the person: saved where downloads go, read when one is chosen. */
export interface PageFiles {
  /**
   * Parts become one file without becoming one text: a text of a page ends near 512 MB. Never rejects. On the desktop it
   * waits for the person, who is asked where to.
   */
  save: (
    name: string,
    content: string | readonly string[] | Uint8Array<ArrayBuffer>,
    type: string,
  ) => Promise<SaveOutcome>;
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
