/** `npm run test:real`: the tests that need a real Ollama, at `OLLAMA_HOST`. */
import { commandOf, run } from './node.mjs';

if (process.env.OLLAMA_HOST) {
  const tests = [commandOf('vitest'), 'run', '--project', 'real', ...process.argv.slice(2)];
  process.exitCode = await run(tests, { env: { ANDIRON_REAL: '1' } });
} else {
  console.log('Skipped: OLLAMA_HOST names no Ollama to test against.');
}
