import { useAnswer, type Answer } from './use-answer.ts';

/** An attached image as the address of an `<img>`; null = nothing is asked for. */
export function usePicture(attachmentId: string | null): Answer<string> {
  return useAnswer(attachmentId, (ask) => ask.picture(attachmentId ?? ''));
}
