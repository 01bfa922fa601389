import { count, plural } from './figures.ts';

/** Marks in place of what hides, moves or imitates something in a foreign text. */
export const signs = {
  emptyLines: (lines: number): string => plural(lines, 'empty line', 'empty lines'),
  blanks: (blanks: number): string => plural(blanks, 'space', 'spaces'),
  many: (signs: number): string => plural(signs, 'hidden character', 'hidden characters'),
  repeated: (code: string, times: number): string => `${code} × ${count(times)}`,
  hidden: 'This character cannot be seen, or hides other text',
  looks: 'This character looks like another one',
  same: (characters: number): string => plural(characters, 'unchanged character', 'unchanged characters'),
  showLines: (lines: number): string => `Show all ${plural(lines, 'line', 'lines')}`,
  showCharacters: (characters: number): string => `Show all ${plural(characters, 'character', 'characters')}`,
} as const;
