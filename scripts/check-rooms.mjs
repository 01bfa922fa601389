/**
 * Checks the import table (.dependency-cruiser.cjs). Run under the pinned Node: `npm run rooms`.
 * A cruise that quietly saw fewer modules than there are source files proves nothing, so that is an error too.
 */
import { createRequire } from 'node:module';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const require = createRequire(import.meta.url);

// dependency-cruiser asks swc for neither JSX nor `using`, and ends when it meets them. TypeScript 7, its other
// parser, has no API. So swc is taught both before dependency-cruiser takes hold of it.
const swc = require('@swc/core');
const { parseFileSync } = swc;
swc.parseFileSync = (file, parseOptions) => parseFileSync(file, { ...parseOptions, tsx: file.endsWith('x') });
const { Visitor } = require('@swc/core/Visitor.js');
class ModernVisitor extends Visitor {
  visitStatement(statement) {
    if (statement.type !== 'UsingDeclaration') return super.visitStatement(statement);
    this.visitVariableDeclarators(statement.decls);
    return statement;
  }
}
require.cache[require.resolve('@swc/core/Visitor.js')].exports.Visitor = ModernVisitor;
const { cruise } = await import('dependency-cruiser');

const { forbidden, options } = require('../.dependency-cruiser.cjs');
const { resolveOptions, ...cruiseOptions } = options;
const { output } = await cruise(
  ['src', 'test'],
  { ...cruiseOptions, ruleSet: { forbidden }, validate: true },
  resolveOptions,
);

const sources = ['src', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter((path) => /\.tsx?$/.test(path) && !/[\\/]artifacts[\\/]/.test(path))
    .map((path) => join(folder, path)),
);
const cruised = new Set(output.modules.map((module) => module.source));
const missed = sources.filter((path) => !cruised.has(path));
const { violations } = output.summary;

for (const { rule, from, to, cycle } of violations) {
  const path = cycle ? cycle.map((step) => step.name ?? step).join(' → ') : to;
  console.error(`${rule.name}: ${from} → ${path}`);
}
for (const path of missed) console.error(`not cruised: ${path}`);
console.log(
  `${cruised.size} modules of ${sources.length} source files cruised, ${violations.length} violations`,
);
process.exitCode = violations.length + missed.length > 0 ? 1 : 0;
