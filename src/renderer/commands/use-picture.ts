import { useState } from 'react';
import { useHost } from '../stores/stores.ts';
import { useAnswer, type Answer } from './use-answer.ts';

/** An attached image as the address of an `<img>`; null = nothing is asked for. A window that opens waits for its host. */
export function usePicture(attachmentId: string | null): Answer<string> {
  const live = useHost((host) => host.connection === 'live');
  const [asks, setAsks] = useState(live);
  if (live && !asks) setAsks(true);
  return useAnswer(asks ? attachmentId : null, (ask) => ask.picture(attachmentId ?? ''));
}
