import { Icon, type IconName } from '../components/icon.tsx';

export function IconSheet() {
  return (
    <ul className="g-icons">
      {(Object.keys(icons) as IconName[]).map((name) => (
        <li key={name}>
          <Icon name={name} />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** A record, so that an icon that is missing here is a type error. */
const icons: Record<IconName, true> = {
  mark: true,
  calendar: true,
  archive: true,
  bell: true,
  filter: true,
  hook: true,
  send: true,
  collection: true,
  check: true,
  x: true,
  plus: true,
  menu: true,
  minus: true,
  right: true,
  down: true,
  up: true,
  previous: true,
  below: true,
  search: true,
  queued: true,
  idle: true,
  running: true,
  done: true,
  failed: true,
  wait: true,
  stopped: true,
  declined: true,
  cut: true,
  cap: true,
  alert: true,
  info: true,
  think: true,
  clock: true,
  chart: true,
  people: true,
  route: true,
  plug: true,
  file: true,
  edit: true,
  run: true,
  folder: true,
  web: true,
  agent: true,
  plan: true,
  note: true,
  pin: true,
  sliders: true,
  left: true,
  panel: true,
  stop: true,
  clip: true,
  fork: true,
  redo: true,
  get: true,
  undo: true,
  copy: true,
  trash: true,
  more: true,
  open: true,
  bare: true,
  shield: true,
  gpu: true,
  cpu: true,
  user: true,
  key: true,
  disk: true,
  sun: true,
  max: true,
  restore: true,
  memory: true,
  fold: true,
  warmth: true,
  hot: true,
  cold: true,
};
