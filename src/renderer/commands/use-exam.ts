import { useHost } from '../stores/stores.ts';
import { useCommands } from './commands.ts';
import { useAnswer } from './use-answer.ts';
import { useExamAdvice } from './use-exam-advice.ts';

/** The exam of one model, wherever it is shown. It begins only when somebody presses for it. */
export function useExam(model: string, digest: string) {
  const { run } = useCommands();
  const exam = useHost((host) => host.exam ?? null);
  const result = useHost((host) => host.exams?.find((each) => each.digest === digest) ?? null);
  const { value: price } = useAnswer(`exam:${digest}:${result?.at ?? 0}`, (ask) => ask.examPrice(model));
  const advice = useExamAdvice(model, result);
  return {
    /** The one that runs on this model; null = none does. */
    progress: exam?.model === model ? exam : null,
    /** What the last one found; null = there was none. */
    result,
    price,
    /** What follows from it for the profile in use. */
    advice,
    mayBegin: exam === null || exam.phase === 'failed',
    onBegin: () => void run('exam/begin', { model }),
    onCancel: () => void run('exam/cancel'),
  };
}
