import type { Command } from '../../commands/command.ts';
import { useCommands, type Commands } from '../../commands/commands.ts';
import { keyCaps, keysOf } from '../../commands/keyboard.ts';
import { KeyCaps } from '../../components/button.tsx';
import { settings } from '../../text.ts';

const text = settings.shortcuts;
const names: Partial<Record<string, string>> = text.names;

/** Every command that a key runs, as the registry has it. */
export function ShortcutsPane() {
  const commands = useCommands();
  return (
    <div className="pane">
      <h2>{text.title}</h2>
      <dl className="rows keys">
        {shortcutsOf(commands).map(({ id, caps }) => (
          <div key={id}>
            <dt>{names[id] ?? id}</dt>
            <dd>
              <KeyCaps keys={caps} />
              <span className="sr-only">{caps.join(' ')}</span>
            </dd>
          </div>
        ))}
      </dl>
      {commands.web && <p className="meta pane-note">{text.note}</p>}
    </div>
  );
}

export function shortcutsOf({
  registry,
  web,
  mac,
}: Pick<Commands, 'registry' | 'web' | 'mac'>): { id: string; caps: string[] }[] {
  return Object.entries<Pick<Command<unknown>, 'shortcut'>>(registry).flatMap(([id, { shortcut }]) =>
    shortcut ? [{ id, caps: keyCaps(keysOf(shortcut, web), mac) }] : [],
  );
}
