/**
 * The first page of a profile. What matters first stands together: models, window, texts, tools and approvals; the
 * other flags follow in groups. A row of links over all of it leads to each part, and to what differs from the defaults.
 */
import { useState } from 'react';
import type { Profile, ProfileFiles, PromptName } from '../../../protocol/model.ts';
import type { ToolFacts } from '../../../protocol/profile-methods.ts';
import { library, profiles as words, settings } from '../../text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { effectiveModel } from '../../stores/derive.ts';
import { readingRate } from '../../../rules/price.ts';
import type { SessionPricing } from '../../stores/use-pricing.ts';
import { promptNames, promptOf } from '../../stores/profile-drafts.ts';
import { FlagGroups, partId } from './flag-groups.tsx';
import {
  approvalsRow,
  changedFlags,
  changedGroups,
  groups,
  listedGroups,
  resetAll,
  windowRow,
  type FlagGroup,
} from './profile-flags.ts';
import { Flag } from './flag-rows.tsx';
import { headCost, tokensOf } from './profile-head.ts';
import { ProfileModels } from './profile-models.tsx';
import { ProfileTools } from './profile-tools.tsx';
import type { ProfileEditor } from './use-profile-editor.ts';
import { WindowFit } from './window-fit.tsx';

const text = settings.profiles;

interface OverviewProps {
  editor: ProfileEditor;
  pricing: SessionPricing;
  tools: ToolFacts[] | null;
  files: ProfileFiles | null;
  onPrompt: (prompt: PromptName) => void;
  /** Begins with what differs from the defaults. */
  first: boolean;
}

export function ProfileOverview({ editor, pricing, tools, files, onPrompt, first }: OverviewProps) {
  const { shown, change } = editor;
  const [wanted, setWanted] = useState(first);
  const changed = changedFlags(shown);
  // With nothing left to show it shows all again, and stays so when something is changed later.
  if (wanted && changed === 0) setWanted(false);
  const narrowed = wanted && changed > 0;
  const rate = pricing.last === null ? null : readingRate(pricing.last);
  const flags = { profile: shown, tools, levels: thinkingLevels(pricing, shown), onChange: change };
  return (
    <>
      <div className="parts">
        {narrowed ? <p className="medium grow">{text.changedTitle(changed)}</p> : <Links profile={shown} />}
        {narrowed && (
          <Button kind="quiet" small icon="undo" onClick={() => change(resetAll(shown))}>
            {text.resetAll}
          </Button>
        )}
        {changed > 0 ? (
          <Button
            small
            key="narrow"
            {...(narrowed ? { 'data-narrows': '' } : { 'aria-label': text.changedLabel(changed) })}
            onClick={() => setWanted(!narrowed)}
          >
            {narrowed ? text.showAll : text.changed(changed)}
          </Button>
        ) : (
          <span className="meta wide">{text.allDefault}</span>
        )}
      </div>
      {narrowed ? (
        <FlagGroups groups={changedGroups(shown)} {...flags} />
      ) : (
        <>
          <div className="essentials">
            <ProfileModels id={partId('models')} profile={shown} engine={pricing.engine} onChange={change} />
            <ProfileWindow profile={shown} pricing={pricing} onChange={change} />
            <ProfileTexts profile={shown} onOpen={onPrompt} />
            <ProfileTools
              id={partId('tools')}
              profile={shown}
              facts={tools}
              cost={headCost(shown, tools, files?.commonPersona ?? null)}
              rate={rate}
              onChange={change}
            >
              <Flag row={approvalsRow} {...flags} />
            </ProfileTools>
          </div>
          <FlagGroups groups={listedGroups} {...flags} />
        </>
      )}
    </>
  );
}

const groupsOf = (id: FlagGroup['id']): FlagGroup[] => groups.filter((group) => group.id === id);

/** What is near each other shares a link. */
const links: { part: string; label: string; groups: FlagGroup[] }[] = [
  { part: 'models', label: text.models, groups: groupsOf('window') },
  { part: 'tools', label: text.tools, groups: groupsOf('tools') },
  ...listedGroups.map((group) => ({ part: group.id, label: text.groups[group.id], groups: [group] })),
];

function goTo(part: string): void {
  const section = document.getElementById(partId(part));
  section?.scrollIntoView({ block: 'start' });
  section?.focus({ preventScroll: true });
}

function Links({ profile }: { profile: Profile }) {
  return (
    <nav className="part-links grow" aria-label={text.parts}>
      {links.map(({ part, label, groups: among }) => {
        const changed = changedFlags(profile, among);
        return (
          <Button key={part} kind="quiet" small onClick={() => goTo(part)}>
            {label}
            {changed > 0 && (
              <span className="num">
                <span className="sr-only">, </span>
                {changed}
                <span className="sr-only"> {text.changedWord}</span>
              </span>
            )}
          </Button>
        );
      })}
    </nav>
  );
}

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
        {model && <span className="meta cut">{model.name}</span>}
      </h3>
      <Flag row={windowRow} profile={{ ...profile, contextTokens }} onChange={onChange} />
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

interface ProfileTextsProps {
  profile: Profile;
  onOpen: (prompt: PromptName) => void;
}

/** How long its texts are, and the way to them. */
function ProfileTexts({ profile, onOpen }: ProfileTextsProps) {
  return (
    <section aria-label={text.prompts}>
      <h3>
        {text.prompts}
        <span className="meta">{text.promptsNote}</span>
      </h3>
      <ul>
        {promptNames.map((prompt) => {
          const tokens = tokensOf(promptOf(profile, prompt));
          const name = words.prompts.names[prompt];
          return (
            <li className="mrow text-row" key={prompt}>
              <span>{name}</span>
              <span className="meta num cut">
                {tokens === 0 ? text.promptNone[prompt] : text.promptTokens(tokens)}
              </span>
              <IconButton icon="edit" label={text.promptEdit(name)} onClick={() => onOpen(prompt)} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Named levels of the model that this profile would use now. */
function thinkingLevels({ target, engine }: SessionPricing, profile: Profile): string[] {
  const current = effectiveModel({ ...target, profile }, engine);
  const model = engine?.models.find(({ name }) => name === current);
  return model?.thinkingValues?.filter((value) => typeof value === 'string') ?? [];
}
