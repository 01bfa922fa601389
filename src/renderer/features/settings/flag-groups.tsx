import { settings } from '../../text.ts';
import { Flag, type FlagsProps } from './flag-rows.tsx';
import { changedFlags, keysOf, type FlagGroup } from './profile-flags.ts';

const text = settings.profiles;

/** Flags under what they are about, with how many of each group differ from their defaults. One group has no heading. */
export function FlagGroups({ groups, ...flags }: FlagsProps & { groups: readonly FlagGroup[] }) {
  return (
    <div>
      {groups.map((group) => {
        const changed = changedFlags(flags.profile, [group]);
        return (
          <section key={group.id} aria-label={text.groups[group.id]}>
            {groups.length > 1 && (
              <h3>
                {text.groups[group.id]}
                {changed > 0 && <span className="meta">{text.changed(changed)}</span>}
              </h3>
            )}
            {group.rows.map((row) => (
              <Flag key={row.kind === 'figure' ? row.id : keysOf(row).join()} row={row} {...flags} />
            ))}
          </section>
        );
      })}
    </div>
  );
}
