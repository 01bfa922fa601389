import { useState } from 'react';
import { useHost } from '../stores/stores.ts';
import { useAnswer, type Answer } from './use-answer.ts';

/** An attached file as a `data:` address; null = nothing is asked for. A window that opens waits for its host. */
export function useAttached(attachmentId: string | null): Answer<string> {
  const live = useHost((host) => host.connection === 'live');
  const [asks, setAsks] = useState(live);
  if (live && !asks) setAsks(true);
  return useAnswer(asks ? attachmentId : null, (ask) => ask.attached(attachmentId ?? ''));
}
