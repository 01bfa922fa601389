import { transcript } from '../../text.ts';
import { useAnswer } from '../../commands/use-answer.ts';
import { effectiveModel, latestTurn } from '../../stores/derive.ts';
import { useEngine, useSession } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';

const text = transcript.version;

/** Every model reads a few tokens again, whatever it is asked. */
const slack = 20;
/** What costs less is a word in the tooltip. */
const costlyMs = 3000;

interface VersionCost {
  words: string;
  /** So long that it is said before somebody points at the button. */
  isCostly: boolean;
}

/**
 * What another version of a turn makes the model read again, asked of the host, and again when the prompt or what is in
 * memory has changed. null = no answer yet, or `turnId` is null. `message` undefined = the same again; of another one it
 * is asked once, since its words hardly matter.
 */
export function useVersionPrice(turnId: string | null, message?: string): VersionCost | null {
  const engine = useEngine((state) => state.engine);
  const target = useTarget();
  const sessionId = useSession((session) => session.sessionId);
  const requests = useSession(({ state }) => latestTurn(state)?.usage.length ?? 0);
  const loaded = engine?.loaded.map(({ name }) => name) ?? [];
  const key =
    sessionId === null || turnId === null
      ? null
      : JSON.stringify([sessionId, turnId, requests, loaded, message !== undefined]);
  const { value } = useAnswer(key, async (ask) => ({
    price: await ask.versionPrice(sessionId ?? '', turnId ?? '', message),
  }));
  if (value === null) return null;
  const { price } = value;
  // Another model has none of it, and what it reads is not known before it is asked.
  if (price === null || price.model !== effectiveModel(target, engine))
    return { words: text.unknownPrice, isCostly: false };
  if (price.rereadTokens <= slack) return { words: text.rereadsNothing, isCostly: false };
  const isCostly = price.ms === null || price.ms >= costlyMs;
  return { words: text.rereads(price.rereadTokens, price.ms), isCostly };
}
