import { memo, useState } from 'react';
import { positions } from '../positions.ts';
import { AnsiReader, type AnsiLine, type AnsiStyle } from './ansi.ts';
import { groupClass } from './code-text.tsx';
import { groupSize } from './coloured-code.ts';
import styles from './ansi-text.module.css';

/** What a command printed, in its colours. Untrusted: nothing of it becomes markup. */
export function AnsiText({ text }: { text: string }) {
  const [reader] = useState(() => new AnsiReader());
  const lines = reader.read(text);
  const groups = Array.from({ length: Math.ceil(lines.length / groupSize) }, (_, at) =>
    lines.slice(at * groupSize, (at + 1) * groupSize),
  );
  return positions(groups).map(({ at, piece }) => (
    <Group key={at} lines={piece} last={at === groups.length - 1} />
  ));
}

const Group = memo(
  ({ lines, last }: { lines: AnsiLine[]; last: boolean }) => (
    <span className={groupClass(lines.length)}>
      {positions(lines).map(({ at, piece: line }) => (
        <span key={at}>
          {positions(line).map(({ at: place, piece: { text, style } }) => {
            const look = classOf(style);
            return look === '' ? (
              text
            ) : (
              <span key={place} className={look}>
                {text}
              </span>
            );
          })}
          {last && at === lines.length - 1 ? '' : '\n'}
        </span>
      ))}
    </span>
  ),
  (before, after) =>
    before.last === after.last &&
    before.lines.length === after.lines.length &&
    before.lines.every((line, at) => line === after.lines[at]),
);
Group.displayName = 'AnsiGroup';

const marks = ['bold', 'faint', 'italic', 'underline', 'struck'] as const;

const inks = {
  red: styles.red,
  green: styles.green,
  yellow: styles.yellow,
  blue: styles.blue,
  magenta: styles.magenta,
  cyan: styles.cyan,
  strong: styles.strong,
  faint: styles.faint,
};

const papers = {
  red: styles.onRed,
  green: styles.onGreen,
  yellow: styles.onYellow,
  blue: styles.onBlue,
  magenta: styles.onStrong,
  cyan: styles.onStrong,
  strong: styles.onStrong,
};

/** Ink on a ground of any colour is the text's own: so it reads well on every one. */
function classOf(style: AnsiStyle): string {
  const { ink, ground, inverse } = style;
  const paper = ground && ground !== 'faint' ? ground : undefined;
  return [
    inverse && styles.inverse,
    !inverse && paper && papers[paper],
    !inverse && !paper && ink && inks[ink],
    ...marks.filter((mark) => style[mark]).map((mark) => styles[mark]),
  ]
    .filter(Boolean)
    .join(' ');
}
