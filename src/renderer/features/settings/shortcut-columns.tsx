import type { ReactNode } from 'react';
import { commandGroups, groupOf } from '../../commands/command-groups.ts';
import type { NamedCommandId } from '../../commands/commands.ts';
import { commands } from '../../text.ts';

/** What is about the work at the left, what is about the window at the right. */
const columns = [commandGroups.slice(0, 2), commandGroups.slice(2)];

interface ShortcutColumnsProps {
  ids: readonly NamedCommandId[];
  row: (id: NamedCommandId) => ReactNode;
}

/** Commands under the headings of their groups, in two columns where there is room. */
export function ShortcutColumns({ ids, row }: ShortcutColumnsProps) {
  const byGroup = Map.groupBy(ids, groupOf);
  return (
    <div className="key-columns">
      {columns
        .filter((groups) => groups.some((group) => byGroup.has(group)))
        .map((groups) => (
          <div key={groups.join()}>
            {groups.map((group) => {
              const members = byGroup.get(group);
              return (
                members && (
                  <div key={group}>
                    <h2>{commands.groups[group]}</h2>
                    <ul aria-label={commands.groups[group]}>{members.map(row)}</ul>
                  </div>
                )
              );
            })}
          </div>
        ))}
    </div>
  );
}
