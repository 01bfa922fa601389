import { useState } from 'react';
import type { SkillList } from '../../../protocol/skill-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { wordsOf } from '../../commands/error-words.ts';
import { useAnswer } from '../../commands/use-answer.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useHost } from '../../stores/stores.ts';
import { skillsPane as text } from '../../text.ts';

/**
 * What a folder says to agents, asked about while it can still stand in the opening, which the first message fixes. Nothing
 * where it says nothing.
 */
export function FolderTrust({ workspace }: { workspace: string }) {
  const { actions, run } = useCommands();
  const changes = useHost((host) => host.skillChanges ?? 0);
  const { value } = useAnswer(`trust:${String(changes)}:${workspace}`, (ask) => ask.skills(workspace));
  const [problem, setProblem] = useState('');
  const { title, detail, isTrusted, waits } = wordsFor(value);
  if (title === '') return null;
  const trust = (): void => {
    actions.trustFolder(workspace, true).then(
      () => setProblem(''),
      (error: unknown) => setProblem(wordsOf(error).message),
    );
  };
  return (
    <section aria-label={text.folderSays}>
      <Icon name="shield" />
      <p className="grow min-0">
        <VisibleText text={title} oneLine />
        <span className="meta block">{detail}</span>
        {problem !== '' && (
          <span className="warn block" role="alert">
            {problem}
          </span>
        )}
      </p>
      {!isTrusted && <Button onClick={trust}>{text.trust}</Button>}
      {isTrusted && waits && <Button onClick={() => void run('view/skills')}>{text.look}</Button>}
    </section>
  );
}

interface TrustWords {
  /** '' = there is nothing to say. */
  title: string;
  detail: string;
  isTrusted: boolean;
  /** Skills of it are not allowed yet. */
  waits: boolean;
}

function wordsFor(list: SkillList | null): TrustWords {
  const none = { title: '', detail: '', isTrusted: false, waits: false };
  if (!list?.folder) return none;
  const { isTrusted, waiting, agentsFile } = list.folder;
  if (!isTrusted) {
    const isEmpty = !waiting.agentsFile && waiting.skills === 0;
    const title = isEmpty ? '' : text.folderHas(waiting.agentsFile, waiting.skills);
    return { ...none, title, detail: text.notTrusted };
  }
  const here = list.skills.filter(({ place }) => place === 'workspace');
  const waitingSkills = here.filter(({ state }) => state === 'waiting' || state === 'changed').length;
  const usable = here.filter(({ state }) => state === 'on').length;
  if (!agentsFile && here.length === 0) return { ...none, isTrusted };
  return {
    title: agentsFile?.problem === '' ? text.beginsWith(agentsFile.shown, agentsFile.tokens) : text.trusted,
    detail: waitingSkills > 0 ? text.skillsWait(waitingSkills) : text.skillsOn(usable),
    isTrusted,
    waits: waitingSkills > 0,
  };
}
