/** The desktop around the page, which remembers what it was asked for. */
import type {
  DesktopBridge,
  DesktopSettings,
  DownloadEnd,
  FileOutcome,
  FileRequest,
  MenuKeys,
  MenuPlace,
  UpdateAction,
  UpdateNews,
  StartRequest,
  Theme,
  WindowFacts,
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
  reportUpdate: (news: UpdateNews) => void = () => undefined;
  readonly themes: Theme[] = [];
  readonly languages: string[] = [];
  kept: DesktopSettings = { keepAwake: 'mains', hardwareAcceleration: true, checkUpdates: true };
  keepFails = false;
  secondStart: (request: StartRequest) => void = () => undefined;
  readonly #factListeners = new Set<(facts: WindowFacts) => void>();
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
      this.reportUpdate = listener;
      return () => undefined;
    },
    act: (action: UpdateAction): void => void this.asked.push(action),
  };
  readonly window = {
    minimize: (): void => void this.asked.push('minimize'),
    toggleMaximize: (): void => void this.asked.push('maximize'),
    close: (): void => void this.asked.push('close'),
    show: (): void => void this.asked.push('show'),
    onFacts: (listener: (facts: WindowFacts) => void): (() => void) => {
      this.#factListeners.add(listener);
      return () => this.#factListeners.delete(listener);
    },
    showTheme: (theme: Theme): void => void this.themes.push(theme),
    showLanguage: (language: string): void => void this.languages.push(language),
  };
  readonly settings = {
    read: (): Promise<DesktopSettings> => Promise.resolve(this.kept),
    change: (change: Partial<DesktopSettings>): Promise<DesktopSettings | null> => {
      if (this.keepFails) return Promise.resolve(null);
      this.kept = { ...this.kept, ...change };
      return Promise.resolve(this.kept);
    },
  };
  readonly onStart = (listener: (request: StartRequest) => void): (() => void) => {
    this.secondStart = listener;
    return () => undefined;
  };
  /** As main does when its window changes. */
  showFacts(facts: WindowFacts): void {
    for (const listener of this.#factListeners) listener(facts);
  }
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
