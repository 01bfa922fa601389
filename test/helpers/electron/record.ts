/** What was asked of the stub of Electron, and how far it is in its life. */
export interface MenuItem {
  label?: string;
  role?: string;
  enabled?: boolean;
  type?: string;
  accelerator?: string;
  registerAccelerator?: boolean;
  submenu?: MenuItem[];
  click?: () => void;
}

export interface PopUp {
  window: object;
  x: number;
  y: number;
  /** As the person's choice, or a press beside it, does. */
  callback: () => void;
}

/** The parts that make windows, trays and processes know one another only by this. */
export interface PartialRecord {
  /** False = what needs `ready` throws; true = what must come before it throws. */
  ready: boolean;
  /** Calls whose order matters, by name. */
  calls: string[];
  /** What the real thing would have punished where a test cannot see it; `useDesktop` fails a test that has any. */
  faults: string[];
  windows: { destroyed: boolean; close(): void }[];
  trays: object[];
  utilities: { runningTurns: number }[];
  opened: string[];
  openedPaths: string[];
  openPathFails: string;
  shownPaths: string[];
  errorBoxes: { title: string; content: string }[];
  questions: Record<string, unknown>[];
  /** What the next question box and folder picker answer. */
  answer: number;
  folders: string[];
  schemes: { scheme: string; privileges: Record<string, boolean> }[];
  protocols: Map<string, (request: { url: string; method: string }) => Promise<Response>>;
  appMenu: MenuItem[];
  popUps: PopUp[];
  exposed: Record<string, unknown>;
  sent: { channel: string; args: unknown[] }[];
  /** Kinds of the power save blockers that are held now. */
  keptAwake: string[];
  switches: string[];
  /** What the internet answers, by address. Where it is empty there is no network at all. */
  web: Map<string, string | Uint8Array>;
}

const fresh = (): PartialRecord => ({
  ready: true,
  calls: [],
  faults: [],
  windows: [],
  trays: [],
  utilities: [],
  opened: [],
  openedPaths: [],
  openPathFails: '',
  shownPaths: [],
  errorBoxes: [],
  questions: [],
  answer: 0,
  folders: [],
  schemes: [],
  protocols: new Map(),
  appMenu: [],
  popUps: [],
  exposed: {},
  sent: [],
  keptAwake: [],
  switches: [],
  web: new Map(),
});

export const electron: PartialRecord = fresh();

export const forgetRecord = (): void => void Object.assign(electron, fresh());

/** Electron refuses it before `ready`, or does it wrongly. */
export function needsReady(name: string): void {
  if (!electron.ready) throw new Error(`${name} cannot be used before app is ready.`);
  electron.calls.push(name);
}

/** Electron refuses it once the app is ready, or takes no notice. */
export function needsEarly(name: string): void {
  if (electron.ready) throw new Error(`${name} must be called before app is ready.`);
  electron.calls.push(name);
}

export interface PreventableEvent {
  defaultPrevented: boolean;
  preventDefault(): void;
}

export function preventable<T extends object>(more?: T): PreventableEvent & T {
  const event = {
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true;
    },
    ...more,
  };
  return event as PreventableEvent & T;
}
