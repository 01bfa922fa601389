/** What is said between the process of main and the test that holds its page. Plain JSON, over the channel of a fork. */

export interface ServedFile {
  status: number;
  headers: Record<string, string>;
  /** Base64. */
  body: string;
}

export interface ErrorBox {
  title: string;
  content: string;
  isReady: boolean;
}

export type FromMain =
  | { type: 'load'; url: string }
  /** `ports` are numbers by which both sides know them from here on. */
  | { type: 'to-page'; channel: string; message: unknown; ports: number[] }
  | { type: 'port'; port: number; data: unknown }
  | { type: 'port-closed'; port: number }
  | { type: 'answer'; to: number; value: unknown }
  | { type: 'refusal'; to: number; error: string }
  /** The app is about to end; `boxes` = error boxes, each with whether the app was ready by then. */
  | { type: 'ending'; code: number; boxes: ErrorBox[] }
  /** Main could not even begin: what it threw. */
  | { type: 'failed'; error: string };

export type Question =
  /** `ipcRenderer.invoke`. */
  | { type: 'invoke'; channel: string; args: unknown[] }
  /** The scheme that main serves the page on. Answered with a ServedFile. */
  | { type: 'fetch'; url: string; method: string }
  /** A link with `download` was pressed. Answered with whether it may, and where the save dialog begins. */
  | { type: 'download'; url: string; name: string; item: number }
  /** JavaScript over the stub (`electron`), for a test that asks what was done, or does what a person does. */
  | { type: 'evaluate'; code: string };

export type ToMain =
  | ({ id: number } & Question)
  /** `ipcRenderer.send`. */
  | { type: 'send'; channel: string; args: unknown[] }
  | { type: 'port'; port: number; data: unknown }
  | { type: 'port-closed'; port: number }
  | { type: 'loaded' }
  /** The page is another one now: its ports are gone with it. */
  | { type: 'navigated' }
  | { type: 'download-ended'; item: number; state: 'completed' | 'cancelled' | 'interrupted' };
