/**
 * The desktop app without Electron's program: the built main entry in a Node process over the strict stub, the built host
 * in a worker, the built preload and page in a real Chromium. What is Electron's own is stood in for; nothing of ours is.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Download, Page } from 'playwright-core';
import type { ErrorBox, FromMain, Question, ServedFile, ToMain } from '../helpers/desktop/messages.ts';
import { pageScript, type PageSide } from '../helpers/desktop/page-side.ts';
import { proveModels } from '../helpers/proven-models.ts';
import { projectRoot, temporaryFolder } from '../helpers/server-process.ts';
import { AndironPage } from './page.ts';

/** Chromium knows no `app:` scheme; a secure origin that nobody has stands for it. */
const origin = 'https://andiron.test';
const appOrigin = 'app://andiron';

export interface SavedFile {
  name: string;
  /** Where the save dialog began. */
  defaultPath: string | null;
  content: string;
}

type SaveEnd = 'completed' | 'cancelled' | 'interrupted';

export interface DesktopRun {
  window: AndironPage;
  complaints: string[];
  dataDir: string;
  /** JavaScript over the stub of Electron (`electron`, `stub`, `menuItem`), in main's process. */
  evaluate: (code: string) => Promise<unknown>;
  /** What the person does with the next save dialogs. */
  answerSaves: (answer: SaveEnd) => void;
  saved: SavedFile[];
  /** How the save dialogs ended, oldest first. */
  ended: SaveEnd[];
  /** Addresses of downloads that main refused. */
  refused: string[];
  exited: Promise<number | null>;
  close: () => Promise<void>;
}

export async function launchDesktop(browser: Browser, args: readonly string[]): Promise<DesktopRun> {
  const folder = temporaryFolder();
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, acceptDownloads: true });
  context.setDefaultTimeout(150_000);
  const page = await context.newPage();
  const started = [`--data-dir=${folder.path}`, ...args];
  await proveModels(started);
  const main = startMain(started);
  const complaints = listenForComplaints(page);
  await joinPage(page, context, main);
  const downloads = followDownloads(page, main);
  await main.loaded;
  return {
    window: new AndironPage(page),
    complaints,
    dataDir: folder.path,
    evaluate: (code) => main.ask({ type: 'evaluate', code }),
    ...downloads,
    exited: main.exited,
    async close() {
      if (main.child.connected) main.child.disconnect();
      await main.exited;
      await context.close();
      folder.remove();
    },
  };
}

/**
 * A start that is over before there is a window.
 * @param isHeldElsewhere another Andiron runs on this data folder
 */
export async function startWithoutWindow(
  args: readonly string[],
  isHeldElsewhere = false,
): Promise<{ code: number | null; boxes: ErrorBox[]; printed: string }> {
  const env = { ...process.env, ...(isHeldElsewhere && { ANDIRON_HELD_ELSEWHERE: '1' }) };
  const child = fork(mainProcess, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env });
  let boxes: ErrorBox[] = [];
  let printed = '';
  child.stdout?.on('data', (part: Buffer) => (printed += part.toString()));
  child.on('message', (message: FromMain) => {
    if (message.type === 'ending') ({ boxes } = message);
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, boxes, printed };
}

const mainProcess = join(projectRoot, 'test', 'helpers', 'desktop', 'main-process.ts');

interface MainProcess {
  child: ChildProcess;
  exited: Promise<number | null>;
  /** The page was asked for and has come. */
  loaded: Promise<void>;
  tell: (message: ToMain) => void;
  ask: (question: Question) => Promise<unknown>;
  onPage: (listener: (message: FromMain) => Promise<void>) => void;
}

function startMain(args: readonly string[]): MainProcess {
  const { OLLAMA_HOST: _, ...env } = process.env;
  const child = fork(mainProcess, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const loaded = Promise.withResolvers<void>();
  let questions = 0;
  let toPage: ((message: FromMain) => Promise<void>) | undefined;
  // One after the other: what main says in order arrives in order.
  let queue = Promise.resolve();

  const settle = (id: number): PromiseWithResolvers<unknown> | undefined => {
    const answer = waiting.get(id);
    waiting.delete(id);
    return answer;
  };
  child.on('message', (message: FromMain) => {
    if (message.type === 'answer') settle(message.to)?.resolve(message.value);
    else if (message.type === 'refusal') settle(message.to)?.reject(new Error(message.error));
    else if (message.type === 'ending') return;
    else if (message.type === 'failed') loaded.reject(new Error(message.error));
    else {
      queue = queue.then(() => toPage?.(message));
      if (message.type === 'load') queue.then(loaded.resolve, loaded.reject);
      else queue = queue.catch(() => undefined);
    }
  });
  child.on('exit', (code) => {
    const gone = new Error(`Main ended with ${String(code)}.`);
    loaded.reject(gone);
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
  });
  const tell = (message: ToMain): void => {
    if (child.connected) child.send(message);
  };
  return {
    child,
    exited,
    loaded: loaded.promise,
    tell,
    ask(question) {
      const id = questions++;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(id, answer);
      tell({ id, ...question });
      return answer.promise;
    },
    onPage(listener) {
      toPage = listener;
    },
  };
}

async function joinPage(page: Page, context: BrowserContext, main: MainProcess): Promise<void> {
  await context.exposeBinding('reportMain', (_source, message: Question | ToMain) => {
    if (message.type === 'invoke') return main.ask(message).catch(refused);
    main.tell(message as ToMain);
    return undefined;
  });
  const preload = readFileSync(join(projectRoot, 'out', 'preload', 'index.cjs'), 'utf8');
  await context.addInitScript({ content: pageScript(preload, process.platform) });
  await context.route(`${origin}/**`, async (route) => {
    const url = route.request().url().replace(origin, appOrigin);
    try {
      const served = (await main.ask({ type: 'fetch', url, method: route.request().method() })) as ServedFile;
      await route.fulfill({ ...served, body: Buffer.from(served.body, 'base64') });
    } catch {
      // Main has ended meanwhile.
      await route.abort();
    }
  });
  page.on('framenavigated', () => main.tell({ type: 'navigated' }));
  page.on('load', () => main.tell({ type: 'loaded' }));
  main.onPage(async (message) => {
    if (message.type === 'load') await page.goto(message.url.replace(appOrigin, origin));
    // A blob has the address of its page.
    else
      await page.evaluate(
        (text) => (window as unknown as PageSide).fromMain(JSON.parse(text)),
        asSeen(message),
      );
  });
}

/** As Electron's own bridge: words, not the error of the other process. */
const refused = (error: unknown): never => {
  throw new Error(`Error invoking remote method: ${String(error)}`);
};

const asSeen = (message: FromMain): string =>
  JSON.stringify(message).replaceAll(`blob:${appOrigin}`, `blob:${origin}`);

function listenForComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}

function followDownloads(
  page: Page,
  main: MainProcess,
): Pick<DesktopRun, 'saved' | 'ended' | 'refused' | 'answerSaves'> {
  const saved: SavedFile[] = [];
  const refused: string[] = [];
  const ended: SaveEnd[] = [];
  let answer: SaveEnd = 'completed';
  let items = 0;

  const follow = async (download: Download): Promise<void> => {
    const item = items++;
    const url = download.url().replace(`blob:${origin}`, `blob:${appOrigin}`);
    const name = download.suggestedFilename();
    const asked = (await main.ask({ type: 'download', url, name, item })) as {
      allowed: boolean;
      defaultPath: string | null;
    };
    if (!asked.allowed) {
      refused.push(url);
      return download.cancel();
    }
    if (answer === 'completed') {
      const content = readFileSync(await download.path(), 'utf8');
      saved.push({ name, defaultPath: asked.defaultPath, content });
    }
    main.tell({ type: 'download-ended', item, state: answer });
    ended.push(answer);
  };
  page.on('download', (download) => void follow(download));
  return { saved, ended, refused, answerSaves: (next) => void (answer = next) };
}
