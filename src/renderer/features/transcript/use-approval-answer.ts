/** What a person does with a question: answers it, writes its command anew, and reads it before that. */
import { useContext, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Approval, ApprovalDecision, CommandRule, HostScope } from '../../../protocol/model.ts';
import { isComposing } from '../../components/composing.ts';
import { useSight } from '../../components/sight.ts';
import { useKeyDown } from '../../components/use-key-down.ts';
import { useCommands } from '../../commands/commands.ts';
import type { ErrorWords } from '../../commands/error-words.ts';
import { useStores, useUi } from '../../stores/stores.ts';
import { requestFocus, setCommandDraft, setReplyDraft } from '../../stores/ui-store.ts';
import { AtEndContext } from './at-end.ts';
import { lastingAnswers } from './lasting-answers.ts';
import { useBlindWords, type TextField } from './use-blind-words.ts';

/** Keys pressed this soon after the card appeared were meant for something else. */
const deafMs = 400;

/** The rest of a page was in sight before: nobody loses the line. */
const pageShare = 0.9;

const boxIn = (card: HTMLElement | null) => card?.querySelector<HTMLElement>('[role=group]');

interface GivenAnswer {
  decision: ApprovalDecision;
  scope: 'once' | 'session';
  /** The command as the person changed it. */
  edited?: string;
  /** With a yes: such commands no longer ask in this folder. */
  rule?: CommandRule;
  /** With a yes to a host: for how long. */
  hostScope?: HostScope;
  /** With a no: why, or what to do instead. */
  reply?: string;
}

export type ApprovalAnswer = ReturnType<typeof useApprovalAnswer>;

/** `decided`: the answer was given before the card was shown. */
export function useApprovalAnswer(approval: Approval, decided: boolean, card: RefObject<HTMLElement | null>) {
  const { run } = useCommands();
  const { ui } = useStores();
  const [answered, setAnswered] = useState(decided);

  const { editable } = approval;
  const draft = useUi((state) => (editable ? state.commandDrafts[approval.id] : undefined));
  const reply = useUi((state) => state.replyDrafts[approval.id] ?? '');
  const edits = draft !== undefined;
  const isReplying = reply.trim() !== '';
  const [opened, setOpened] = useState(false);
  const [open, setOpen] = useState(false);
  const call = useSight();
  const [draftSeen, setDraftSeen] = useState(false);
  const seen = edits ? draftSeen : call.seen;
  // What nobody has seen to its end cannot be allowed.
  const closed = answered || !seen;
  const hidesMore = call.hidesEnd;

  const [refusal, setRefusal] = useState<ErrorWords | null>(null);
  const onRefused = (why: ErrorWords): void => {
    setRefusal(why);
    setAnswered(false);
  };

  const answer = async (given: Partial<GivenAnswer> & { decision: ApprovalDecision }): Promise<void> => {
    if (given.decision === 'allow' ? closed : answered) return;
    setAnswered(true);
    const isSent = await run('approval/answer', {
      approvalId: approval.id,
      onRefused,
      scope: 'once',
      ...given,
    });
    if (!isSent) setAnswered(false);
  };
  const allow = (more: Partial<GivenAnswer> = {}): void => void answer({ decision: 'allow', ...more });
  /** Whichever way it is said, what is written in the field goes with it. */
  const decline = (): void => void answer({ decision: 'deny', ...(isReplying && { reply: reply.trim() }) });
  const write = (text: string | null): void => {
    setRefusal(null);
    setCommandDraft(ui, approval.id, text);
  };
  const isChanged = edits && draft !== editable?.text;
  const allowAsWritten = (): void => {
    if (edits && draft.trim() !== '') allow(isChanged ? { edited: draft } : {});
  };
  const edit = (): void => {
    setOpened(true);
    write(editable?.text ?? null);
  };
  const revert = (): void => {
    write(null);
    card.current?.focus();
  };
  const showMore = (): void => {
    // Its keys scroll it from here on.
    const box = boxIn(card.current);
    box?.focus();
    if (open && box) box.scrollTop += box.clientHeight * pageShare;
    setOpen(true);
  };

  return {
    answered,
    /** Allow is not offered: it was answered, or nobody has seen the call to its end. */
    closed,
    call,
    /** All of the call was asked for. */
    open,
    /** Its end was never in sight. */
    hidesMore,
    /** A higher box first, then a page further down with each call. */
    showMore,
    /** The command as it is being written; undefined = it stands as it was asked. */
    draft,
    isChanged,
    opened,
    refusal,
    unread: answered || seen ? null : call.hidesStart && !edits ? 'start' : 'end',
    setDraftSeen,
    write,
    allow,
    decline,
    /** What goes with a no. */
    reply,
    isReplying,
    setReply: (words: string): void => setReplyDraft(ui, approval.id, words),
    allowAsWritten,
    edit,
    revert,
  } as const;
}

interface AnswerKeys {
  card: RefObject<HTMLElement | null>;
  takenFrom: RefObject<TextField | null>;
  /** Where the words of a no are written. */
  replyField: RefObject<HTMLTextAreaElement | null>;
  approval: Approval;
  answer: ApprovalAnswer;
}

export function useAnswerKeys({ card, takenFrom, replyField, approval, answer }: AnswerKeys): void {
  const { answered, call, hidesMore, isReplying, allow, decline } = answer;
  const edits = answer.draft !== undefined;
  /** Enter says no with what was written, and never yes; with Shift it is a line of its own. */
  const replyActOf = ({ key, shiftKey }: KeyboardEvent): (() => void) | undefined => {
    if (key === 'Escape') return () => card.current?.focus();
    return key === 'Enter' && !shiftKey ? decline : undefined;
  };
  const enterActOf = ({ shiftKey, target }: KeyboardEvent): (() => void) | undefined => {
    if (hidesMore && (target === card.current || target === boxIn(card.current))) return answer.showMore;
    if (target !== card.current) return undefined;
    // What is not in sight now is not what the person has in mind, nor is a yes while they write a no.
    if (!call.whole || isReplying) return undefined;
    if (!shiftKey) return () => allow();
    const [narrowest] = lastingAnswers(approval);
    return narrowest && (() => allow(narrowest.given));
  };
  const actOf = (event: KeyboardEvent): (() => void) | undefined => {
    const { key, target } = event;
    const chord = event.ctrlKey || event.metaKey;
    if (event.altKey || event.repeat || isComposing(event)) return undefined;
    if (target === replyField.current) return replyActOf(event);
    if (edits && key === 'Escape') return answer.revert;
    // A bare Enter would allow what is no longer shown.
    if (edits && chord && key === 'Enter') return answer.allowAsWritten;
    // The letters of a command that is being written are no answers.
    if (chord || target instanceof HTMLTextAreaElement) return undefined;
    if (key.toLowerCase() === 'd') return decline;
    if (key.toLowerCase() === 'r') return () => replyField.current?.focus();
    if (edits) return undefined;
    if (key.toLowerCase() === 'e' && approval.editable && !answered) return answer.edit;
    return key === 'Enter' ? enterActOf(event) : undefined;
  };
  const [shownAt] = useState(() => Date.now());
  const isHeard = (): boolean => Date.now() - shownAt >= deafMs;
  const takesAsWord = useBlindWords({ card, takenFrom, actOf, isHeard });
  useKeyDown(card, (event) => {
    if (takesAsWord(event)) return;
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    // Escape stops the turn where it takes no change back.
    event.stopPropagation();
    // Whoever is in its field has gone there.
    if (event.target === replyField.current || isHeard()) act();
  });
}

/**
 * Takes the keyboard when it appears, unless the person is writing or reading further up: an answer must never come from
 * a key that was meant for the message box, nor for what nobody sees. Of an empty box `useBlindWords` has the rule.
 */
export function useFocusWhenAsked() {
  const card = useRef<HTMLElement>(null);
  /** The empty field that had it before: its person may go on typing blind. */
  const takenFrom = useRef<TextField>(null);
  const focus = useUi((ui) => ui.focus);
  const firstFocus = useRef(focus);
  const atEnd = useContext(AtEndContext);
  useEffect(() => {
    if (!atEnd()) return;
    const active = document.activeElement;
    const field = active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement ? active : null;
    const writing = field !== null && field.value !== '';
    // An answer to one question must never become the answer to another that comes meanwhile.
    const busy =
      active !== null &&
      active.closest('[role=menu], [role=alertdialog], [role=dialog], [data-asks]') !== null;
    if (writing || busy) return;
    // Fields of numbers and the like have no place for words.
    takenFrom.current = field?.selectionStart === null ? null : field;
    card.current?.focus({ preventScroll: true });
  }, [atEnd]);
  useEffect(() => {
    if (focus !== firstFocus.current && focus.target === 'approval') card.current?.focus();
  }, [focus]);
  const { ui } = useStores();
  useLayoutEffect(() => {
    const shown = card.current;
    // Withdrawn, as when its command ends, it would take the keyboard with it.
    return () => {
      if (shown?.contains(document.activeElement)) requestFocus(ui, 'composer');
    };
  }, [ui]);
  return { card, takenFrom };
}
