/** The desktop around the page, which remembers what it was asked for. */
import type {
  DesktopBridge,
  DownloadEnd,
  FileOutcome,
  FileRequest,
  MenuKeys,
  MenuPlace,
  UpdateAction,
  UpdateNews,
} from '../../protocol/desktop.ts';

export class FakeDesktop implements DesktopBridge {
  readonly platform: string;
  readonly asked: string[] = [];
  readonly shownKeys: MenuKeys[] = [];
  readonly popUps: { place: MenuPlace; close: () => void }[] = [];
  readonly fileRequests: (FileRequest & { action: 'show' | 'open' })[] = [];
  /** What becomes of the next files. */
  outcome: FileOutcome = 'done';
  /** As main does when a file is saved, or not. */
  endDownload: (ended: DownloadEnd) => void = () => undefined;
  /** As main does when there is something to say of updates. */
  tellUpdate: (news: UpdateNews) => void = () => undefined;
  /** As an entry of the menu does. */
  choose: (command: string) => void = () => undefined;

  constructor(platform: string) {
    this.platform = platform;
  }

  readonly chooseFolder = (): Promise<string | null> => Promise.resolve(null);
  readonly openExternal = (): Promise<void> => Promise.resolve();
  readonly downloads: DesktopBridge['downloads'] = {
    onDone: (listener: (ended: DownloadEnd) => void): (() => void) => {
      this.endDownload = listener;
      return () => undefined;
    },
  };
  readonly updates: DesktopBridge['updates'] = {
    onNews: (listener: (news: UpdateNews) => void): (() => void) => {
      this.tellUpdate = listener;
      return () => undefined;
    },
    act: (action: UpdateAction): void => void this.asked.push(action),
  };
  readonly window = {
    minimize: (): void => void this.asked.push('minimize'),
    toggleMaximize: (): void => void this.asked.push('maximize'),
    close: (): void => void this.asked.push('close'),
  };
  readonly menu = {
    onCommand: (listener: (command: string) => void): (() => void) => {
      this.choose = listener;
      return () => undefined;
    },
    showKeys: (keys: MenuKeys): void => void this.shownKeys.push(keys),
    popUp: (place: MenuPlace): Promise<void> =>
      new Promise((resolve) => void this.popUps.push({ place, close: resolve })),
  };
  readonly files = {
    show: (file: FileRequest): Promise<FileOutcome> => this.#hand('show', file),
    open: (file: FileRequest): Promise<FileOutcome> => this.#hand('open', file),
  };

  #hand(action: 'show' | 'open', file: FileRequest): Promise<FileOutcome> {
    this.fileRequests.push({ action, ...file });
    return Promise.resolve(this.outcome);
  }
}
