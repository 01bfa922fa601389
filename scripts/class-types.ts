/** `npm run classes`: writes beside each CSS module what classes it has, so that a missing one is an error of types. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declarationOf, moduleFiles } from './house/classes.ts';
import { read } from './house/source-files.ts';
import { root } from './node.mjs';

for (const path of moduleFiles()) writeFileSync(join(root, `${path}.d.ts`), declarationOf(read(path)));
