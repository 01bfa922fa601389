/** Files of the person: saved where downloads go, read when one is chosen. */
export interface PageFiles {
  save: (name: string, content: string, type: string) => void;
  /** The text of the chosen file; null = none was chosen. */
  pick: (accept: string) => Promise<string | null>;
  /** Any files, as they are; empty = none was chosen. */
  choose: () => Promise<File[]>;
  /** A JSON file that lies beside the built page; absent = nothing was built. */
  built?: (name: string) => Promise<unknown>;
}
