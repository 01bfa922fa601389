/** A reporter of vitest: which tests failed at first and passed when they were tried again, and with which error. */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes the list into the file that ANDIRON_SECOND_TRIES names: that they passed must not hide that they can fail. */
export default class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env['ANDIRON_SECOND_TRIES'];
    if (file === undefined) return;
    const tries = modules.flatMap((module) =>
      [...module.children.allTests('passed')]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => ({
          test: test.fullName,
          file: module.relativeModuleId,
          error: test.result().errors?.[0]?.message.split('\n')[0] ?? '',
        })),
    );
    writeFileSync(file, JSON.stringify(tries, null, 2));
  }
}
