/** Why a call asks. The host says it in English; another language goes by what makes it ask. */
type Why = (asked: { why: string; host?: { isPrivate: boolean } | undefined; quote?: unknown }) => string;

const asTold: Why = ({ why }) => why;

export const askedWhy = {
  command: asTold,
  protected: asTold,
  tainted: asTold,
  unannounced: asTold,
  skill: asTold,
  policy: asTold,
  host: asTold,
};
