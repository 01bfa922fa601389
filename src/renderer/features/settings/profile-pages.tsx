/** The tabs of a profile with flags: tools, model, limits and the rest; and in place of any of them what was changed. */
import { useState } from 'react';
import type { Profile, ProfileFiles } from '../../../protocol/model.ts';
import type { ToolFacts } from '../../../protocol/profile-methods.ts';
import { library, settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { effectiveModel } from '../../stores/derive.ts';
import { readingRate } from '../../../rules/price.ts';
import type { SessionPricing } from '../../stores/use-pricing.ts';
import { FlagGroups } from './flag-groups.tsx';
import { changedFlags, changedGroups, groupsOn, resetAll, rowsOn, type FlagPage } from './profile-flags.ts';
import { Flag, type FlagsProps } from './flag-rows.tsx';
import { headCost } from './profile-head.ts';
import { ProfileModels } from './profile-models.tsx';
import { ProfileTools } from './profile-tools.tsx';
import type { ProfileEditor } from './use-profile-editor.ts';
import { WindowFit } from './window-fit.tsx';
import styles from './profiles.module.css';

const text = settings.profiles;

interface FlagPageProps {
  page: Exclude<FlagPage, 'prompts'>;
  editor: ProfileEditor;
  pricing: SessionPricing;
  tools: ToolFacts[] | null;
  files: ProfileFiles | null;
}

export function FlagPageView({ page, editor: { shown, change }, pricing, tools, files }: FlagPageProps) {
  const flags = flagsOf(shown, change, { pricing, tools });
  if (page === 'tools') {
    return (
      <ProfileTools
        profile={shown}
        facts={tools}
        cost={headCost(shown, tools, files?.commonPersona ?? null)}
        rate={pricing.last === null ? null : readingRate(pricing.last)}
        onChange={change}
      >
        {rowsOn('tools').map((row) => (
          <Flag key={row.kind} row={row} {...flags} />
        ))}
      </ProfileTools>
    );
  }
  if (page === 'model') {
    return (
      <>
        <ProfileModels profile={shown} engine={pricing.engine} onChange={change} />
        <ProfileWindow profile={shown} pricing={pricing} onChange={change} />
        <FlagGroups groups={groupsOn(page).filter(({ id }) => id !== 'window')} {...flags} />
      </>
    );
  }
  return <FlagGroups groups={groupsOn(page)} {...flags} />;
}

/** Only what differs from the defaults, of all tabs. */
export function ChangedFlags({ editor: { shown, change }, ...facts }: Omit<FlagPageProps, 'page' | 'files'>) {
  return (
    <>
      <div className={styles.parts}>
        <p className="medium grow">{text.changedTitle(changedFlags(shown))}</p>
        <Button kind="quiet" small icon="undo" onClick={() => change(resetAll(shown))}>
          {text.resetAll}
        </Button>
      </div>
      <FlagGroups groups={changedGroups(shown)} {...flagsOf(shown, change, facts)} />
    </>
  );
}

const flagsOf = (
  profile: Profile,
  onChange: ProfileEditor['change'],
  { pricing, tools }: Pick<FlagPageProps, 'pricing' | 'tools'>,
): FlagsProps => ({ profile, tools, levels: thinkingLevels(pricing, profile), onChange });

interface ProfileWindowProps {
  profile: Profile;
  pricing: SessionPricing;
  onChange: ProfileEditor['change'];
}

/** The window of the profile, with what its model would take with it. */
function ProfileWindow({ profile, pricing, onChange }: ProfileWindowProps) {
  const [dragged, setDragged] = useState<number | null>(null);
  const name = effectiveModel({ ...pricing.target, profile, chosenModel: null }, pricing.engine);
  const model = pricing.engine?.models.find((known) => known.name === name);
  const contextTokens = dragged ?? profile.contextTokens;
  return (
    <section aria-label={library.fit.title}>
      <h3>
        {library.fit.title}
        {model && (
          <span className="meta cut" dir="auto">
            {model.name}
          </span>
        )}
      </h3>
      <Flag
        row={{ kind: 'figure', id: 'contextTokens' }}
        profile={{ ...profile, contextTokens }}
        onChange={onChange}
      />
      {model && (
        <WindowFit
          model={model.name}
          trained={model.trainedContext}
          value={profile.contextTokens}
          onChoose={(tokens) => onChange({ contextTokens: tokens })}
          onDrag={setDragged}
        />
      )}
    </section>
  );
}

/** Named levels of the model that this profile would use now. */
function thinkingLevels({ target, engine }: SessionPricing, profile: Profile): string[] {
  const current = effectiveModel({ ...target, profile }, engine);
  const model = engine?.models.find(({ name }) => name === current);
  return model?.thinkingValues?.filter((value) => typeof value === 'string') ?? [];
}
