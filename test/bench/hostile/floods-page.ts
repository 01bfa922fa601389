/** Floods of the page: Markdown and texts that are dear to read or to draw, streamed into a real window. */
import type { Browser } from 'playwright-core';
import { reply, startSim } from '../../../src/sim/index.ts';
import { deepQuotes, marked, textOf, wordTable } from '../../helpers/marked-words.ts';
import { temporaryFolder } from '../../helpers/server-process.ts';
import { launchWeb, type OpenWindow } from '../../e2e/launch-web.ts';

const kB = 1024;
const MB = 1024 * kB;

/** What the model says; each comes in 200 pieces. */
export const pageTexts: Readonly<Record<string, string>> = {
  'emphasis that never closes, 64 kB': marked('_', 64 * kB),
  'stars that never close, 64 kB': marked('**a *', 64 * kB, ' '),
  'brackets, 64 kB': marked('[', 64 * kB),
  'links in links, 64 kB': textOf(64 * kB, (word) => `[${word}](`),
  'quotes 2,000 deep': deepQuotes(2_000, 8),
  'lists 1,000 deep': textOf(200 * kB, (word, depth) => `${'  '.repeat(depth)}- ${word}\n`),
  'a table of 400 columns': wordTable(400, 100),
  'HTML that never closes, 64 kB': textOf(64 * kB, (word) => `<a ${word} `),
  'backticks, 64 kB': Array.from({ length: 350 }, (_, count) => '`'.repeat(count)).join(' a '),
  'a fence of 2 MB': `\`\`\`ts\n${textOf(2 * MB, (word, line) => `const ${word} = \`\${b${String(line)}}\` /* c */;\n`)}`,
  'a word of 1 MB': marked('', MB),
  'twenty thousand empty lines': textOf(80 * kB, (word) => `${word}\n\n`),
  'sixty marks on each letter, 64 kB': textOf(64 * kB, (word) => `${word}${'\u0301'.repeat(60)}`),
};

interface Watched {
  longest: number;
}

/** Notes the long tasks of the page; runs in it. */
function watch(): void {
  const page = globalThis as typeof globalThis & Watched;
  page.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) page.longest = Math.max(page.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
}

export interface PageStage {
  /** The longest task of the page, in ms, from the message to the end of the answer. */
  longestTask(name: string): Promise<number>;
  close(): Promise<void>;
}

export async function openPageStage(browser: Browser): Promise<PageStage> {
  const sim = await startSim({ speed: 5_000, keepRequests: 2 });
  const workspace = temporaryFolder();
  const app = await launchWeb(browser, [`--engine-url=${sim.url}`, `--workspace=${workspace.path}`]);
  const opened: OpenWindow = await app.open();
  const { window } = opened;
  await window.ready();
  await window.page.evaluate(watch);
  return {
    async longestTask(name) {
      const text = pageTexts[name] ?? '';
      const size = Math.ceil(text.length / 200);
      const tokens = Array.from({ length: 200 }, (_, index) => text.slice(index * size, (index + 1) * size));
      sim.setScript(() => reply().raw(...tokens.filter((token) => token !== '')));
      await window.page.evaluate(() => ((globalThis as typeof globalThis & Watched).longest = 0));
      await window.ask('Go on.');
      await window.turnEnded();
      return window.page.evaluate(() => (globalThis as typeof globalThis & Watched).longest);
    },
    async close() {
      await opened.close();
      await app.close();
      await sim.close();
      workspace.remove();
    },
  };
}
