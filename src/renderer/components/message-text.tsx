import { mentionsIn } from './mentions.ts';
import styles from './message-text.module.css';

/** What a person wrote, as it was written; files that it names are quiet code. */
export function MessageText({ text }: { text: string }) {
  const mentions = mentionsIn(text);
  if (mentions.length === 0) return text;
  return (
    <>
      {mentions.map(({ from, to }, place) => (
        <Mentioned
          key={from}
          before={text.slice(mentions[place - 1]?.to ?? 0, from)}
          words={text.slice(from, to)}
        />
      ))}
      {text.slice(mentions.at(-1)?.to)}
    </>
  );
}

function Mentioned({ before, words }: { before: string; words: string }) {
  return (
    <>
      {before}
      {/* Right to left around it, it stays the path that it is. */}
      <code className={styles.mention} dir="ltr">
        {words}
      </code>
    </>
  );
}
