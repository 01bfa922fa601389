/** Files of messages: in the box, in the transcript, and over the whole window. */
import type { Attachment } from '../../protocol/attachments.ts';
import type { SessionSnapshot } from '../../protocol/model.ts';
import { Shell } from '../app/shell.tsx';
import { readyFile, type DraftFile } from '../stores/draft-files.ts';
import type { UiState } from '../stores/ui-store.ts';
import { openSession } from './fixtures.ts';
import type { Moment, Scene } from './scene.tsx';
import { stoppedSession } from './session-fixtures.ts';
import { createWorld } from './world.ts';

export const attached = (
  id: string,
  name: string,
  bytes: number,
  more: Partial<Attachment> = {},
): Attachment => ({ id, name, kind: 'text', mime: 'text/plain', bytes, ...more });

const image = (id: string, name: string, bytes: number): Attachment =>
  attached(id, name, bytes, { kind: 'image', mime: 'image/png' });

const landscape = image('landscape', 'image.png', 214_000);
const portrait = image(
  'portrait',
  'Screenshot from 2026-11-13 at 09.41.07 on the second display.png',
  380_000,
);
const tiny = image('tiny', 'favicon.png', 412);
const huge = image('huge', 'panorama.png', 6_100_000);
const broken = image('broken', 'cut-off-download.png', 90_000);
const missing = image('missing', 'gone.png', 90_000);
const log = attached('log', 'lease-failures-2026-11-13.log', 48_200);
const report = attached('report', 'incident.pdf', 1_930_000, { kind: 'other', mime: 'application/pdf' });
const hebrew = attached('hebrew', 'יומן הרצות של הבדיקות מהלילה.txt', 2_400);

const drawn = (width: number, height: number): string => {
  const part = (x: number, y: number, w: number, h: number, fill: string): string =>
    `<rect x="${x * width}" y="${y * height}" width="${w * width}" height="${h * height}" fill="${fill}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${[
    part(0, 0, 1, 1, '#3b4a5a'),
    part(0.06, 0.12, 0.88, 0.1, '#5d7186'),
    part(0.06, 0.28, 0.56, 0.05, '#8aa0b6'),
    part(0.06, 0.37, 0.66, 0.05, '#8aa0b6'),
    part(0.06, 0.46, 0.44, 0.05, '#d98b6a'),
    part(0.06, 0.6, 0.88, 0.3, '#2c3946'),
  ].join('')}</svg>`;
  return `data:image/svg+xml;base64,${btoa(svg)}`;
};

const lines = Array.from(
  { length: 400 },
  (_, line) =>
    `09:41:${String(line % 60).padStart(2, '0')} worker-${line % 7} lease.renew ${line % 9 === 0 ? 'refused: it has expired' : 'ok'}`,
);

const contents: Readonly<Record<string, string>> = {
  landscape: drawn(1280, 800),
  portrait: drawn(780, 1688),
  tiny: drawn(16, 16),
  huge: drawn(6000, 1200),
  photo: drawn(1568, 1045),
  broken: 'data:image/png;base64,iVBORw0KGgo=',
  log: `data:text/plain;base64,${btoa(lines.join('\n'))}`,
};

function files(id: string, moment: Moment): Scene {
  return {
    id,
    world(now) {
      const app = createWorld({ now, ...moment(now) });
      app.commands.ask.attached = (attachmentId) => {
        const content = contents[attachmentId];
        return content === undefined
          ? Promise.reject(new Error('gone.png is no longer there.'))
          : Promise.resolve(content);
      };
      return app;
    },
    view: (app) => <Shell services={app.services} />,
  };
}

const source = (name: string): File => new File(['x'], name);
const arriving: DraftFile = {
  key: 'file-1',
  name: 'trace.json',
  bytes: 8_400_000,
  state: 'uploading',
  source: source('trace.json'),
};
const refused = (key: string, name: string, message: string, advice: string): DraftFile => ({
  key,
  name,
  bytes: 9_800_000,
  state: 'failed',
  source: source(name),
  message,
  advice,
});
const full = refused(
  'file-2',
  'core.dump',
  'The disk is full: core.dump could not be kept.',
  'Free some space, then attach it again.',
);
const unwritable = refused(
  'file-3',
  'heap-snapshot-of-the-worker-that-lost-its-lease.heapsnapshot',
  'heap-snapshot-of-the-worker-that-lost-its-lease.heapsnapshot could not be kept: EACCES: permission denied, open /home/ada/.local/share/andiron/attachments.',
  'Check the disk that holds the data folder, then attach it again.',
);
const photo = readyFile(image('photo', 'IMG_2041.png', 640_000), {
  bytes: 13_000_000,
  width: 1568,
  height: 1045,
});

const written = (text: string, draft: DraftFile[]): Partial<UiState> => ({
  drafts: { [openSession.id]: text },
  draftFiles: { [openSession.id]: draft },
});

function sentSession(now: number, attachments: Attachment[]): SessionSnapshot {
  const session = stoppedSession(now);
  const text =
    'It fails as in the picture. Look at @src/queue/lease.ts and @"test/fixtures/lease with spaces.json".';
  return {
    ...session,
    items: session.items.flatMap((item) => (item.kind === 'user' ? [{ ...item, text, attachments }] : [])),
  };
}

/** Of a tool of a server: what can be drawn, what is damaged, and what is gone. */
function resultSession(now: number): SessionSnapshot {
  const session = stoppedSession(now);
  const first = session.items.find((item) => item.kind === 'tool');
  const result = 'Here are the boards you asked for:\n[picture-1.png: 1280 × 800 pixels, 214,000 bytes]';
  const call = { tool: 'tool_call', subject: 'boards.draw', display: null, output: '', result } as const;
  const args = { name: 'boards.draw', arguments: { week: 46 } };
  const attachments = [landscape, tiny, broken, missing];
  return {
    ...session,
    items: session.items.map((item) => (item === first ? { ...item, ...call, args, attachments } : item)),
  };
}

const all = [landscape, portrait, tiny, huge, broken, missing, log, report, hebrew];
const at =
  (file: Attachment): Moment =>
  (now) => ({ session: sentSession(now, all), ui: { looking: { files: all, at: all.indexOf(file) } } });

export const attachmentScenes: Scene[] = [
  files('composer-attachments', (now) => ({
    session: stoppedSession(now),
    ui: written('What is wrong here?', [
      readyFile(landscape),
      readyFile(log),
      readyFile(report),
      arriving,
      full,
    ]),
  })),
  files('composer-attachments-many', (now) => ({
    session: stoppedSession(now),
    ui: written('What is wrong here? The third picture is from the machine where it works.', [
      ...[landscape, log, report, hebrew, portrait, tiny].map((file) => readyFile(file)),
      photo,
      arriving,
      full,
      unwritable,
    ]),
  })),
  files('composer-unread', (now) => ({
    session: stoppedSession(now),
    ui: written('What is wrong here?', [readyFile(tiny), readyFile(broken), readyFile(log)]),
  })),
  files('composer-unseen', (now) => ({
    session: stoppedSession(now),
    ui: written('', [readyFile(landscape)]),
  })),
  files('files-sent', (now) => ({ session: sentSession(now, all) })),
  files('files-sent-one', (now) => ({ session: sentSession(now, [landscape]) })),
  files('files-result', (now) => ({ session: resultSession(now) })),
  files('files-viewer-landscape', at(landscape)),
  files('files-viewer-portrait', at(portrait)),
  files('files-viewer-tiny', at(tiny)),
  files('files-viewer-huge', at(huge)),
  files('files-viewer-broken', at(broken)),
  files('files-viewer-missing', at(missing)),
  files('files-viewer-text', at(log)),
  files('files-viewer-other', at(report)),
];
