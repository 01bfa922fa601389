/** Documents, as the tools of files want them: read as text, and written from Markdown. */
import type { Place } from './workspace-path.ts';

/** Its text, with a line of its own before each page, slide, sheet or chapter. */
export interface DocumentText {
  /** "PDF, 40 pages" */
  about: string;
  lines: readonly string[];
  /** Where its parts begin, from line 1; nothing where it has none. */
  marks: readonly { label: string; line: number }[];
  /** Why there is more in it than is read, in words; null = all of it is here. */
  limit: string | null;
}

export const writtenFormats = ['md', 'html', 'docx', 'csv'] as const;
export type WrittenFormat = (typeof writtenFormats)[number];

export interface UnwrittenDocument {
  title: string;
  /** Markdown. */
  content: string;
}

export interface DocumentAccess {
  /**
   * null = the file is no document. Throws ToolFailure where it is one that is not read, and rejects with the signal's
   * reason. What was read last is kept, as long as the file is the same.
   */
  read(place: Pick<Place, 'path' | 'shown' | 'stat'>, signal: AbortSignal): Promise<DocumentText | null>;
  /** "a PDF", "a Word document"; null = it is no document. */
  kindAt(path: string): Promise<string | null>;
  /** Throws ToolFailure for content that this format cannot hold. */
  write(
    format: Exclude<WrittenFormat, 'md'>,
    document: UnwrittenDocument,
    signal: AbortSignal,
  ): Promise<string | Uint8Array>;
}
