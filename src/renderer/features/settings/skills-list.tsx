import type { Skill, SkillList } from '../../../protocol/skill-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { useHost } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { skillsPane as text } from '../../text.ts';
import { ActionButton } from './controls.tsx';
import { EmptyNote, FailureLine, Unanswered } from './pane-parts.tsx';
import { SkillRow } from './skill-row.tsx';
import { useAsked, useAttempt } from './requests.ts';
import settingsStyles from './settings.module.css';
import connectionsStyles from './connections.module.css';

/** Skills in every state with what each costs, and what the folder of the open session says to agents. */
export function SkillsList() {
  const changes = useHost((host) => host.skillChanges ?? 0);
  const { workspace } = useTarget();
  const asked = useAsked(`skills:${String(changes)}:${workspace ?? ''}`, (ask) => ask.skills(workspace));
  const { value } = asked;
  return (
    <>
      <Unanswered {...{ asked, text }} />
      {value?.folder && <SessionFolder folder={value.folder} />}
      {value && <SkillTable skills={value.skills} ownFolder={value.ownFolder} workspace={workspace} />}
    </>
  );
}

interface SkillTableProps {
  skills: readonly Skill[];
  ownFolder: string;
  workspace: string | null;
}

function SkillTable({ skills, ownFolder, workspace }: SkillTableProps) {
  if (skills.length === 0) return <EmptyNote text={text.none} help={text.noneHelp(ownFolder)} />;
  const { name, use, place, price } = text.columns;
  return (
    <>
      <p className={`t2 ${connectionsStyles.skillsHelp}`}>{text.help}</p>
      <div className={`${connectionsStyles.skillColumns} meta`} aria-hidden="true">
        <span>{name}</span>
        <span>{use}</span>
        <span>{place}</span>
        <span className={settingsStyles.figureOf}>{price}</span>
      </div>
      <ul className={settingsStyles.setList}>
        {skills.map((skill) => (
          <SkillRow key={skill.path} skill={skill} workspace={workspace} />
        ))}
      </ul>
    </>
  );
}

function SessionFolder({ folder }: { folder: NonNullable<SkillList['folder']> }) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { isTrusted, waiting, path } = folder;
  if (!isTrusted && !waiting.agentsFile && waiting.skills === 0) return null;
  return (
    <section className={connectionsStyles.skillsFolder} aria-labelledby="skills-folder">
      <div className="grow min-0">
        <h3 className="medium" id="skills-folder">
          {isTrusted ? text.trusted : text.folderHas(waiting.agentsFile, waiting.skills)}
        </h3>
        <p className="meta mono">
          <VisibleText text={path} oneLine />
        </p>
        <p className="meta">
          <VisibleText text={isTrusted ? agentsWords(folder) : text.notTrusted} oneLine />
        </p>
      </div>
      <ActionButton
        small
        busy={busy}
        onClick={() => void attempt(() => actions.trustFolder(path, !isTrusted))}
      >
        {isTrusted ? text.distrust : text.trust}
      </ActionButton>
      {failure && <FailureLine failure={failure} />}
    </section>
  );
}

function agentsWords({ agentsFile }: NonNullable<SkillList['folder']>): string {
  if (!agentsFile) return text.noAgentsFile;
  const { shown, tokens, isCut, problem } = agentsFile;
  return problem === '' ? text.agentsFile(shown, tokens, isCut) : text.agentsBroken(shown, problem);
}
