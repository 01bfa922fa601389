import { useCallback, useState } from 'react';
import { slow as text } from '../../text.ts';
import { useCommands, type RunCommand } from '../../commands/commands.ts';
import type { Fix } from './findings.ts';
import { fixVerb } from './fix-words.ts';

export interface Applied {
  id: number;
  words: string;
  /** null = it cannot be taken back from here, or already was. */
  undo: (() => Promise<boolean>) | null;
}

/** Runs fixes and remembers how each is taken back. A failure is told as every command's is. */
export function useFixes() {
  const { run } = useCommands();
  const [applied, setApplied] = useState<Applied[]>([]);
  const apply = useCallback(
    async (fix: Fix): Promise<void> => {
      if (!(await carryOut(fix, run))) return;
      if (fix.do === 'open') return;
      setApplied((before) => [
        ...before,
        {
          id: before.length,
          words: `${fixVerb(fix)}. ${text.done}`,
          undo: inverse(fix, run),
        },
      ]);
    },
    [run],
  );
  const undo = async (id: number): Promise<void> => {
    const back = applied.find((one) => one.id === id)?.undo;
    if (!back || !(await back())) return;
    setApplied((before) =>
      before.map((one) =>
        one.id === id ? { ...one, undo: null, words: `${one.words} ${text.undone}` } : one,
      ),
    );
  };
  return { applied, apply, undo };
}

async function carryOut(fix: Fix, run: RunCommand): Promise<boolean> {
  switch (fix.do) {
    case 'window':
      return await run('profile/set-window', { profileId: fix.profileId, contextTokens: fix.tokens });
    case 'eject':
      return await run('model/unload', { model: fix.model });
    case 'keep':
      return await run('engine/set-keep-alive', { policy: 'always' });
    case 'compact':
      return await run('session/compact', { sessionId: fix.sessionId });
    case 'reload':
      return (await run('model/unload', { model: fix.model })) && (await run('model/preload', loadOf(fix)));
    case 'open':
      return await run('view/settings-of', { section: fix.section });
  }
}

function inverse(fix: Fix, run: RunCommand): Applied['undo'] {
  switch (fix.do) {
    case 'window':
      return () => run('profile/set-window', { profileId: fix.profileId, contextTokens: fix.before });
    case 'eject':
      return () => run('model/preload', loadOf(fix));
    case 'keep':
      return () => run('engine/set-keep-alive', { policy: fix.before, minutes: fix.minutes });
    case 'compact':
    case 'reload':
    case 'open':
      return null;
  }
}

function loadOf({ model, contextTokens }: { model: string; contextTokens: number | null }) {
  return { model, ...(contextTokens !== null && { contextTokens }) };
}
