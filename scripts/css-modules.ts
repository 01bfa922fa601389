/** How the classes of a CSS module are called in the page: by their folder and file, so that a person who inspects it finds them. */
import { basename, dirname } from 'node:path';

export const cssModules = {
  modules: {
    generateScopedName: (name: string, file: string): string =>
      `${basename(dirname(file))}-${basename(file).replace(/\.module\.css.*$/, '')}__${name}`,
  },
};
