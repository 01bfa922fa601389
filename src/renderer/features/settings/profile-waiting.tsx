import type { Profile, ProfileChanges } from '../../../protocol/model.ts';
import { profiles as words, settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { priceWords } from '../../components/price-words.ts';
import { usePrice } from '../../commands/use-prices.ts';
import { isFree, type Price } from '../../../rules/price.ts';
import { ActionButton } from './controls.tsx';
import { flagLabel, flagValue } from './profile-words.ts';
import type { ProfileEditor, Waiting } from './use-profile-editor.ts';
import profilesStyles from './profiles.module.css';
import settingsStyles from './settings.module.css';

const free: Price = { load: null, reread: null, unread: false };

/** Changes that are not saved yet: why, what they cost, and the yes. */
export function WaitingBar({ editor, waiting }: { editor: ProfileEditor; waiting: Waiting }) {
  const { busy, apply, discard, shown, saved } = editor;
  const { changes, failure, moved } = waiting;
  const price = usePrice(waiting.price ?? free, shown.contextTokens);
  const conflict = moved.length > 0 && !failure;
  return (
    <div className={profilesStyles.price} role={failure || conflict ? 'alert' : 'status'}>
      {failure && <Mark icon="failed" tone="fail" />}
      {conflict && <Mark icon="alert" tone="warn" />}
      <p className="grow">
        {failure ? (
          <>
            <span className="medium">{settings.pending.failed}</span> {failure.message}
            {failure.advice !== '' && <span className="t3"> {failure.advice}</span>}
          </>
        ) : (
          <>
            {conflict && <>{words.fileChanged(movedWords(moved, saved, shown))} </>}
            {waiting.price && !isFree(waiting.price) ? (
              <>
                {settings.pending.changed(labelsOf(changes))}{' '}
                <span className="medium">{priceWords(price)}</span>
                <span className={`t3 ${settingsStyles.wide}`}>. {settings.pending.when}.</span>
              </>
            ) : (
              !conflict && words.notSaved(labelsOf(changes))
            )}
          </>
        )}
      </p>
      <Button onClick={discard}>{conflict ? words.takeFile : settings.pending.discard}</Button>
      <ActionButton kind="primary" busy={busy} onClick={apply}>
        {failure ? settings.pending.retry : conflict ? words.keepMine : settings.pending.apply}
      </ActionButton>
    </div>
  );
}

function labelsOf(changes: ProfileChanges): string {
  return (Object.keys(changes) as (keyof ProfileChanges)[]).map(flagLabel).join(', ');
}

function movedWords(moved: readonly (keyof ProfileChanges)[], saved: Profile, shown: Profile): string {
  return moved
    .map((key) => words.fileSays(flagLabel(key), flagValue(saved, key), flagValue(shown, key)))
    .join('; ');
}
