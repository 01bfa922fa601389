/**
 * Electron's main process for the built app: a Node process in which `electron` is the strict stub, utility processes are
 * real workers and children with real message ports, and whoever forked this holds the page. Run by `launch-desktop.ts`
 * with the arguments that a person would give.
 */
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { compileFunction } from 'node:vm';
import type { FakeDownloadItem } from '../electron/session.ts';
import type { MessagePortMain } from '../electron/ports.ts';
import type { MenuItem } from '../electron/record.ts';
import type { FakeWebContents } from '../electron/windows.ts';
import type { ErrorBox, FromMain, Question, ServedFile, ToMain } from './messages.ts';

const stubUrl = new URL('../electron-stub.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: stubUrl, shortCircuit: true } : next(specifier, context),
});
const stub = await import('../electron-stub.ts');
const { startUtility } = await import('./utilities.ts');
const { app, electron, ipcMain, session } = stub;

const tell = (message: FromMain): void => void process.send?.(message);
const ports = new Map<number, MessagePortMain>();
const downloads = new Map<number, FakeDownloadItem>();

electron.ready = false;
// A packed program is its own first argument, and knows of no script.
process.argv.splice(1, 1);
stub.utilityProcess.fork = (entry, args, options) => startUtility(entry, args, options);
app.on('web-contents-created', (_event, contents: FakeWebContents) => {
  // What is posted reaches a page that is another process.
  contents.on('did-start-loading', () => tell({ type: 'load', url: contents.getURL() }));
  const { posted } = contents;
  posted.push = (...entries) => {
    for (const { channel, message, ports: sent } of entries) {
      tell({ type: 'to-page', channel, message, ports: sent.map(keep) });
    }
    return Array.prototype.push.apply(posted, entries);
  };
});
const boxes: ErrorBox[] = [];
stub.dialog.showErrorBox = (title, content) => void boxes.push({ title, content, isReady: electron.ready });
// The stub only notes it; a process ends.
const end = (code: number): void => {
  if (!process.send) process.exit(code);
  process.send({ type: 'ending', code, boxes } satisfies FromMain, () => process.exit(code));
};
app.on('will-quit', () => end(0));
app.exit = end;
app.holdsLock = process.env['ANDIRON_HELD_ELSEWHERE'] === undefined;
/** Another Andiron has the lock as long as this file is there. */
const heldBy = process.env['ANDIRON_HELD_BY'];
if (heldBy !== undefined) Object.defineProperty(app, 'holdsLock', { get: () => !existsSync(heldBy) });

process.on('message', (message: ToMain) => {
  if ('id' in message) void reply(message.id, message);
  else receive(message);
});
process.on('disconnect', () => process.exit(0));

try {
  await import(new URL('../../../out/main/index.js', import.meta.url).href);
} catch (error) {
  tell({ type: 'failed', error: String(error) });
}
if (!app.ended) app.becomeReady();

function keep(port: MessagePortMain): number {
  const number = ports.size;
  ports.set(number, port);
  port.on('message', ({ data }: { data: unknown }) => tell({ type: 'port', port: number, data }));
  port.on('close', () => tell({ type: 'port-closed', port: number }));
  port.start();
  return number;
}

const contents = () => {
  const [window] = stub.BrowserWindow.getAllWindows();
  if (!window) throw new Error('There is no window.');
  return window.webContents;
};
const fromPage = () => ({ sender: contents(), senderFrame: contents().mainFrame });

function receive(message: Exclude<ToMain, { id: number }>): void {
  if (message.type === 'send') ipcMain.emit(message.channel, fromPage(), ...message.args);
  else if (message.type === 'port') ports.get(message.port)?.postMessage(message.data);
  else if (message.type === 'port-closed') ports.get(message.port)?.close();
  else if (message.type === 'navigated') for (const port of ports.values()) port.close();
  else if (message.type === 'download-ended') downloads.get(message.item)?.end(message.state);
  else {
    contents().emit('did-finish-load');
    stub.BrowserWindow.getAllWindows()[0]?.emit('ready-to-show');
  }
}

async function reply(to: number, question: Question): Promise<void> {
  try {
    tell({ type: 'answer', to, value: await answer(question) });
  } catch (error) {
    tell({ type: 'refusal', to, error: String(error) });
  }
}

async function answer(question: Question): Promise<unknown> {
  if (question.type === 'invoke') {
    const handler = ipcMain.handlers.get(question.channel);
    if (!handler) throw new Error(`No handler registered for '${question.channel}'`);
    return structuredClone(await handler(fromPage(), ...question.args));
  }
  if (question.type === 'fetch') return serve(question.url, question.method);
  if (question.type === 'download') {
    const item = new stub.FakeDownloadItem(question.url, question.name);
    downloads.set(question.item, item);
    const allowed = session.defaultSession.download(item, contents());
    return { allowed, defaultPath: item.saveDialogOptions?.defaultPath ?? null };
  }
  const run = compileFunction(question.code, ['electron', 'stub', 'menuItem']) as (
    ...given: unknown[]
  ) => unknown;
  return run(electron, stub, menuItem);
}

async function serve(url: string, method: string): Promise<ServedFile> {
  const handler = electron.protocols.get(new URL(url).protocol.slice(0, -1));
  if (!handler) throw new Error(`Nothing serves ${url}.`);
  const response = await handler({ url, method });
  const body = Buffer.from(await response.arrayBuffer()).toString('base64');
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/** The entry of the application menu with this label. */
function menuItem(label: string, items: readonly MenuItem[] = electron.appMenu): MenuItem | undefined {
  for (const item of items) {
    const found = item.label === label ? item : menuItem(label, item.submenu ?? []);
    if (found) return found;
  }
  return undefined;
}
