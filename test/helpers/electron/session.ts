/** The session: permissions, requests and downloads. */
import { EventEmitter } from 'node:events';
import { preventable } from './record.ts';
import type { FakeWebContents } from './windows.ts';

type Listener = (...args: unknown[]) => unknown;

export type DownloadState = 'completed' | 'cancelled' | 'interrupted';

/** A download as `will-download` tells of it; `end` is the save dialog, and what the disk makes of it. */
export class FakeDownloadItem extends EventEmitter {
  saveDialogOptions: { defaultPath?: string } | undefined;
  cancelled = false;
  readonly #url: string;
  readonly #name: string;
  #telling = true;

  constructor(url: string, name = 'session.json') {
    super();
    this.#url = url;
    this.#name = name;
  }
  getURL = (): string => this.#url;
  getFilename = (): string => this.#name;
  /** Electron asks with them right after the event, so later ones change nothing. */
  setSaveDialogOptions(options: { defaultPath?: string }): void {
    if (!this.#telling) throw new Error('setSaveDialogOptions after will-download');
    this.saveDialogOptions = options;
  }
  told(): void {
    this.#telling = false;
  }
  end(state: DownloadState): void {
    this.emit('done', {}, state);
  }
  cancel(): void {
    this.cancelled = true;
    this.end('cancelled');
  }
}

export class FakeSession extends EventEmitter {
  handlers: Record<string, Listener> = {};
  /** May this session load that address? */
  lets(url: string): boolean {
    let isCancelled = false;
    this.handlers['beforeRequest']?.({ url }, (decision: { cancel?: boolean }) => {
      isCancelled = decision.cancel === true;
    });
    return !isCancelled;
  }
  /** As a link with `download` in that page does. False = refused. */
  download(item: FakeDownloadItem, page: FakeWebContents): boolean {
    const event = preventable();
    this.emit('will-download', event, item, page);
    item.told();
    return !event.defaultPrevented;
  }
  setPermissionRequestHandler = (handler: Listener): void => void (this.handlers['request'] = handler);
  setPermissionCheckHandler = (handler: Listener): void => void (this.handlers['check'] = handler);
  setDevicePermissionHandler = (handler: Listener): void => void (this.handlers['device'] = handler);
  webRequest = {
    onBeforeRequest: (handler: Listener): void => void (this.handlers['beforeRequest'] = handler),
  };
}
