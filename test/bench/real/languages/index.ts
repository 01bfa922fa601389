import { chinese } from './chinese.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import type { Language } from './language.ts';
import { polish } from './polish.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';
import { turkish } from './turkish.ts';

export { english };

export const foreignLanguages: readonly Language[] = [
  german,
  french,
  spanish,
  portuguese,
  italian,
  polish,
  turkish,
  chinese,
  japanese,
];

export const languages: readonly Language[] = [english, ...foreignLanguages];
