import type { CommandRule } from '../../protocol/model.ts';

/** What a person reads of a command that is always allowed: an ellipsis stands for what may come behind it. */
export const wordsOfRule = ({ words, isExact }: CommandRule): string =>
  `${words.join(' ')}${isExact ? '' : ' …'}`;
