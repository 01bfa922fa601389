/**
 * Andiron's own icons: 16 px grid, 1.5 px stroke, round caps.
 * An icon is decoration beside a word; a button with an icon alone carries a label.
 */
import type { ReactNode } from 'react';

const ringed = (path: string): ReactNode => (
  <>
    <circle cx="8" cy="8" r="5.75" />
    <path d={path} />
  </>
);

const drawings = {
  mark: (
    <>
      <path d="M3.25 2.5v11M12.75 2.5v11M1.5 13.5h3.5M11 13.5h3.5" />
      <path d="M3.25 9.25h9.5" strokeWidth="3" stroke="var(--ember)" strokeLinecap="butt" />
    </>
  ),
  check: <path d="M3 8.5l3.25 3.25L13 4.75" />,
  x: <path d="M4 4l8 8M12 4l-8 8" />,
  plus: <path d="M8 3v10M3 8h10" />,
  menu: <path d="M2.5 4.25h11M2.5 8h11M2.5 11.75h11" />,
  minus: <path d="M3 8h10" />,
  right: <path d="M6 4l4 4-4 4" />,
  down: <path d="M4 6l4 4 4-4" />,
  up: <path d="M8 13V3M4 7l4-4 4 4" />,
  previous: <path d="M10 4L6 8l4 4" />,
  below: <path d="M8 3v10M4 9l4 4 4-4" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="M10.25 10.25L13.5 13.5" />
    </>
  ),
  queued: <circle cx="8" cy="8" r="5.75" strokeDasharray="2.2 2.3" />,
  idle: <circle cx="8" cy="8" r="5.75" />,
  running: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <circle cx="8" cy="8" r="2.5" fill="currentColor" stroke="none" />
    </>
  ),
  done: ringed('M5.5 8.25L7.25 10l3.25-3.75'),
  failed: ringed('M6.1 6.1l3.8 3.8M9.9 6.1L6.1 9.9'),
  wait: ringed('M6.5 6v4M9.5 6v4'),
  stopped: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <rect x="6" y="6" width="4" height="4" rx=".5" fill="currentColor" stroke="none" />
    </>
  ),
  declined: ringed('M4 12l8-8'),
  cut: ringed('M5.5 8h5'),
  cap: <path d="M3 3h10M8 13.5V6M4.75 9.25L8 6l3.25 3.25" />,
  alert: (
    <>
      <path d="M8 2.5l6 10.75H2z" />
      <path d="M8 6.75v2.75" />
      <circle cx="8" cy="11.4" r=".8" fill="currentColor" stroke="none" />
    </>
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 7.5v3.25" />
      <circle cx="8" cy="5.3" r=".85" fill="currentColor" stroke="none" />
    </>
  ),
  think: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <circle cx="5.5" cy="8" r=".9" fill="currentColor" stroke="none" />
      <circle cx="8" cy="8" r=".9" fill="currentColor" stroke="none" />
      <circle cx="10.5" cy="8" r=".9" fill="currentColor" stroke="none" />
    </>
  ),
  chart: <path d="M2.25 13.5h11.5M4 11V8M8 11V3M12 11V6" />,
  calendar: (
    <>
      <rect x="2.25" y="3.25" width="11.5" height="10.5" rx="1" />
      <path d="M2.25 6.5h11.5M5.25 1.75v3M10.75 1.75v3" />
    </>
  ),
  clock: ringed('M8 4.75V8l2.25 1.5'),
  file: (
    <>
      <path d="M9.25 1.75H3.75v12.5h8.5v-9.5z" />
      <path d="M9.25 1.75v3h3" />
    </>
  ),
  edit: (
    <>
      <path d="M2.75 13.25l.75-3.25 7.25-7.25 2.5 2.5L6 12.5z" />
      <path d="M9 4.5L11.5 7" />
    </>
  ),
  run: <path d="M2.5 4l4 4-4 4M8.5 12.25h5" />,
  folder: <path d="M1.75 12.75v-9.5H6l1.5 2h6.75v7.5z" />,
  web: ringed('M2.25 8h11.5M8 2.25c-3.2 3.4-3.2 8.1 0 11.5 3.2-3.4 3.2-8.1 0-11.5z'),
  agent: (
    <>
      <circle cx="4.25" cy="4" r="1.75" />
      <circle cx="11.75" cy="11.5" r="1.75" />
      <path d="M4.25 5.75v2.5a3.25 3.25 0 0 0 3.25 3.25H10" />
    </>
  ),
  plan: <path d="M2 4.25l1.25 1.25L5.5 3M2 10.75L3.25 12 5.5 9.5M8 4.5h6M8 11h6" />,
  note: (
    <>
      <path d="M2.75 2.75h10.5v7l-3.5 3.5h-7z" />
      <path d="M13.25 9.75h-3.5v3.5" />
    </>
  ),
  pin: <path d="M5 2h6M6.25 2v4.25L3.75 9.5h8.5L9.75 6.25V2M8 9.5V14" />,
  sliders: (
    <>
      <path d="M2 5h6.5M12.5 5H14M2 11h1.5M7.5 11H14" />
      <circle cx="10.5" cy="5" r="1.75" />
      <circle cx="5.5" cy="11" r="1.75" />
    </>
  ),
  left: (
    <>
      <rect x="1.75" y="2.75" width="12.5" height="10.5" rx="1.5" />
      <path d="M6 2.75v10.5" />
    </>
  ),
  panel: (
    <>
      <rect x="1.75" y="2.75" width="12.5" height="10.5" rx="1.5" />
      <path d="M10 2.75v10.5" />
    </>
  ),
  stop: <rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" stroke="none" />,
  clip: (
    <path d="M12.75 7.25L8 12a3 3 0 0 1-4.25-4.25l5-5a2 2 0 0 1 2.85 2.85L6.75 10.4a1 1 0 0 1-1.4-1.4l4.4-4.4" />
  ),
  fork: (
    <>
      <circle cx="4.5" cy="3.5" r="1.5" />
      <circle cx="11.5" cy="3.5" r="1.5" />
      <circle cx="8" cy="12.5" r="1.5" />
      <path d="M4.5 5v1c0 1.2.8 2 2 2h3c1.2 0 2-.8 2-2V5M8 8v3" />
    </>
  ),
  redo: <path d="M13 8A5 5 0 1 1 11.4 4.3L13 5.75M13 2.5v3.25H9.75" />,
  get: <path d="M8 2.25v7.5M4.75 6.75L8 10l3.25-3.25M2.5 13.5h11" />,
  undo: <path d="M5.75 3L2.75 6l3 3M2.75 6H9.5a3.75 3.75 0 0 1 0 7.5H6" />,
  copy: (
    <>
      <rect x="5.75" y="5.75" width="7.5" height="7.5" rx="1" />
      <path d="M10.25 5.5V2.75h-7.5v7.5H5.5" />
    </>
  ),
  trash: <path d="M2.75 4.5h10.5M6 4.5V2.5h4v2M4.25 4.5l.6 9h6.3l.6-9" />,
  more: (
    <>
      <circle cx="3.5" cy="8" r="1.1" fill="currentColor" stroke="none" />
      <circle cx="8" cy="8" r="1.1" fill="currentColor" stroke="none" />
      <circle cx="12.5" cy="8" r="1.1" fill="currentColor" stroke="none" />
    </>
  ),
  open: <path d="M9 2.75h4.25V7M13 3L7.75 8.25M11.25 9.5v3.75h-8.5v-8.5h3.5" />,
  bare: (
    <>
      <path d="M8 1.9l5 1.85v4c0 3.1-2.1 5.2-5 6.35-2.9-1.15-5-3.25-5-6.35v-4z" />
      <path d="M4.75 11.75l6.5-7.5" />
    </>
  ),
  shield: <path d="M8 1.9l5 1.85v4c0 3.1-2.1 5.2-5 6.35-2.9-1.15-5-3.25-5-6.35v-4z" />,
  gpu: (
    <>
      <rect x="1.75" y="4.25" width="12.5" height="7.5" rx="1" />
      <circle cx="6" cy="8" r="1.75" />
      <path d="M10 6.75h1.75M10 9.25h1.75M3.5 11.75v2" />
    </>
  ),
  cpu: (
    <>
      <rect x="4" y="4" width="8" height="8" rx="1" />
      <path d="M6.5 4V2M9.5 4V2M6.5 14v-2M9.5 14v-2M4 6.5H2M4 9.5H2M14 6.5h-2M14 9.5h-2" />
    </>
  ),
  user: (
    <>
      <circle cx="8" cy="5.25" r="2.75" />
      <path d="M2.75 13.75c.6-2.6 2.6-4 5.25-4s4.65 1.4 5.25 4" />
    </>
  ),
  people: (
    <>
      <circle cx="6" cy="5.25" r="2.5" />
      <path d="M1.5 13.25c.5-2.4 2.2-3.75 4.5-3.75s4 1.35 4.5 3.75" />
      <path d="M10.5 3a2.5 2.5 0 0 1 0 4.6M12 9.9c1.3.5 2.2 1.6 2.5 3.35" />
    </>
  ),
  plug: <path d="M5.5 1.75v3.5M10.5 1.75v3.5M3.5 5.25h9v2.5a4.5 4.5 0 0 1-9 0zM8 12.25v2" />,
  collection: <path d="M2.25 2.75h3v10.5h-3zM5.25 4.75h3v8.5h-3zM9.9 4.6l2.3-.6 2.05 8.65-2.3.6z" />,
  route: (
    <>
      <circle cx="3.75" cy="12.25" r="1.75" />
      <circle cx="12.25" cy="3.75" r="1.75" />
      <path d="M5.5 12.25h5.25a2.1 2.1 0 0 0 0-4.25H5.25a2.1 2.1 0 0 1 0-4.25h5.25" />
    </>
  ),
  send: <path d="M14 2L7.25 8.75M14 2l-4.5 12-2.25-5.25L2 6.5z" />,
  hook: (
    <>
      <circle cx="8" cy="4.25" r="2.25" />
      <circle cx="3.75" cy="11.75" r="2" />
      <circle cx="12.25" cy="11.75" r="2" />
      <path d="M7 6.25L4.75 10M9 6.25L11.25 10M5.75 11.75h4.5" />
    </>
  ),
  archive: <path d="M1.75 2.75h12.5v3H1.75zM3 5.75v7.5h10v-7.5M6.5 8.5h3" />,
  filter: <path d="M2 4.25h12M4.25 8h7.5M6.5 11.75h3" />,
  bell: (
    <>
      <path d="M3.25 11.25h9.5l-1.25-2V6.5a3.5 3.5 0 0 0-7 0v2.75z" />
      <path d="M6.5 13.5a1.6 1.6 0 0 0 3 0" />
    </>
  ),
  key: (
    <>
      <rect x="1.75" y="4.25" width="12.5" height="7.5" rx="1" />
      <path d="M5.5 9.5h5" />
      <circle cx="4.6" cy="6.9" r=".8" fill="currentColor" stroke="none" />
      <circle cx="8" cy="6.9" r=".8" fill="currentColor" stroke="none" />
      <circle cx="11.4" cy="6.9" r=".8" fill="currentColor" stroke="none" />
    </>
  ),
  disk: (
    <path d="M2.25 4.25c0-2.35 11.5-2.35 11.5 0s-11.5 2.35-11.5 0zM2.25 4.25v7.5c0 2.35 11.5 2.35 11.5 0v-7.5" />
  ),
  sun: (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M8 1.75V3M8 13v1.25M1.75 8H3M13 8h1.25M3.6 3.6l.9.9M11.5 11.5l.9.9M12.4 3.6l-.9.9M4.5 11.5l-.9.9" />
    </>
  ),
  max: <rect x="3.5" y="3.5" width="9" height="9" />,
  restore: <path d="M3 5.5h7.5V13H3zM5.5 5.5V3H13v7.5h-2.5" />,
  memory: <path d="M4 2.25h8v11.5l-4-3.25-4 3.25z" />,
  fold: <path d="M8 1.75v3.75M5.75 3.75L8 5.75l2.25-2M2.5 8h11M8 14.25V10.5M5.75 12.25L8 10.25l2.25 2" />,
  warmth: (
    <>
      <circle cx="8" cy="8" r="4" />
      <path d="M8 4a4 4 0 0 0 0 8z" fill="currentColor" stroke="none" />
    </>
  ),
  hot: <circle cx="8" cy="8" r="4" fill="currentColor" />,
  cold: <circle cx="8" cy="8" r="4" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof drawings;

export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      className={className ? `ic ${className}` : 'ic'}
      data-icon={name}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawings[name]}
    </svg>
  );
}
