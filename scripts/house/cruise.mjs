/** The imports of `src` and `test`, held against the import table (.dependency-cruiser.cjs). Needs the pinned Node. */
import { createRequire } from 'node:module';
import { root } from '../node.mjs';

/** Violations, and how many modules were seen; `missed` are source files that were not: a cruise without them proves nothing. */
export async function cruiseSources(sources = []) {
  process.chdir(root);
  const require = createRequire(import.meta.url);
  teachSwc(require);
  const { cruise } = await import('dependency-cruiser');
  const { forbidden, options } = require('../../.dependency-cruiser.cjs');
  const { resolveOptions, ...cruiseOptions } = options;
  const { output } = await cruise(
    ['src', 'test'],
    { ...cruiseOptions, ruleSet: { forbidden }, validate: true },
    resolveOptions,
  );
  const cruised = new Set(output.modules.map((module) => module.source));
  return {
    violations: output.summary.violations,
    modules: cruised.size,
    missed: sources.filter((path) => !cruised.has(path)),
  };
}

/**
 * dependency-cruiser asks swc for neither JSX nor `using`, and ends when it meets them. TypeScript 7, its other parser,
 * has no API. So swc is taught both before dependency-cruiser takes hold of it.
 */
function teachSwc(require) {
  const swc = require('@swc/core');
  const { parseFileSync } = swc;
  swc.parseFileSync = (file, parseOptions) =>
    parseFileSync(file, { ...parseOptions, tsx: file.endsWith('x') });
  const { Visitor } = require('@swc/core/Visitor.js');
  class ModernVisitor extends Visitor {
    visitStatement(statement) {
      if (statement.type !== 'UsingDeclaration') return super.visitStatement(statement);
      this.visitVariableDeclarators(statement.decls);
      return statement;
    }
  }
  require.cache[require.resolve('@swc/core/Visitor.js')].exports.Visitor = ModernVisitor;
}

/** Each import that closes a circle. */
export async function importCycles() {
  const { violations } = await cruiseSources();
  return violations
    .filter(({ rule }) => rule.name === 'no-cycles')
    .map(({ from, cycle = [] }) => [from, ...cycle.map((step) => step.name ?? step)].join(' → '));
}
