/** What a person does with a question: answers it, writes its command anew, and reads it before that. */
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Approval, ApprovalDecision, CommandRule, HostScope } from '../../../protocol/model.ts';
import { isComposing } from '../../components/composing.ts';
import { useSight } from '../../components/sight.ts';
import { useKeyDown } from '../../components/use-key-down.ts';
import { useCommands } from '../../commands/commands.ts';
import type { ErrorWords } from '../../commands/error-words.ts';
import { useStores, useUi } from '../../stores/stores.ts';
import { requestFocus, setCommandDraft } from '../../stores/ui-store.ts';
import { AtEndContext } from './at-end.ts';

/** Keys pressed this soon after the card appeared were meant for something else. */
const deafMs = 400;

interface GivenAnswer {
  decision: ApprovalDecision;
  scope: 'once' | 'session';
  /** The command as the person wrote it anew. */
  edited?: string;
  /** With a yes: such commands no longer ask in this folder. */
  rule?: CommandRule;
  /** With a yes to a host: for how long. */
  hostScope?: HostScope;
  /** With a no: why, or what to do instead. */
  reply?: string;
}

/** `decided`: the answer was given before the card was shown. */
export function useApprovalAnswer(approval: Approval, decided: boolean) {
  const { run } = useCommands();
  const { ui } = useStores();
  const [answered, setAnswered] = useState(decided);
  const [shownAt] = useState(() => Date.now());
  const card = useFocusWhenAsked();

  const { editable } = approval;
  const draft = useUi((state) => (editable ? state.commandDrafts[approval.id] : undefined));
  const edits = draft !== undefined;
  const [opened, setOpened] = useState(false);
  const call = useSight();
  const [draftSeen, setDraftSeen] = useState(false);
  // What nobody has seen to its end cannot be allowed.
  const closed = answered || !(edits ? draftSeen : call.seen);

  const [refusal, setRefusal] = useState<ErrorWords | null>(null);
  const onRefused = (why: ErrorWords): void => {
    setRefusal(why);
    setAnswered(false);
  };

  const send = async (given: GivenAnswer): Promise<void> => {
    const answered = await run('approval/answer', { approvalId: approval.id, onRefused, ...given });
    if (!answered) setAnswered(false);
  };
  const write = (text: string | null): void => {
    setRefusal(null);
    setCommandDraft(ui, approval.id, text);
  };
  const answer = (decision: ApprovalDecision, more: Partial<GivenAnswer> = {}): void => {
    if (decision === 'allow' ? closed : answered) return;
    setAnswered(true);
    void send({ decision, scope: 'once', ...more });
  };
  const allowAsWritten = (): void => {
    if (draft === undefined || draft.trim() === '') return;
    answer('allow', draft === editable?.text ? {} : { edited: draft });
  };
  /** null = none is being written. */
  const [reply, setReply] = useState<string | null>(null);
  const declineWith = (): void => {
    const said = reply?.trim() ?? '';
    answer('deny', said === '' ? {} : { reply: said });
  };
  const leaveReply = (): void => {
    setReply(null);
    card.current?.focus();
  };
  const edit = (): void => {
    setOpened(true);
    write(editable?.text ?? null);
  };
  const revert = (): void => {
    write(null);
    card.current?.focus();
  };
  /** Enter sends it, and is a line of its own with Shift. */
  const replyActOf = ({ key, shiftKey, target }: KeyboardEvent): (() => void) | undefined => {
    if (key === 'Escape') return leaveReply;
    const isWriting = target instanceof HTMLTextAreaElement;
    return key === 'Enter' && !shiftKey && isWriting ? declineWith : undefined;
  };
  const actOf = (event: KeyboardEvent): (() => void) | undefined => {
    const { key, target } = event;
    const chord = event.ctrlKey || event.metaKey;
    if (event.altKey || event.repeat || isComposing(event)) return undefined;
    if (reply !== null) return replyActOf(event);
    if (edits && key === 'Escape') return revert;
    // A bare Enter would allow what is no longer shown.
    if (edits && chord && key === 'Enter') return allowAsWritten;
    // The letters of a command that is being written are no answers.
    if (chord || target instanceof HTMLTextAreaElement) return undefined;
    if (key.toLowerCase() === 'd') return () => answer('deny');
    if (edits) return undefined;
    if (key.toLowerCase() === 'e' && editable && !answered) return edit;
    if (key.toLowerCase() === 'r' && !answered) return () => setReply('');
    // What is not in sight now is not what the person has in mind.
    const isMeant = target === card.current && call.whole;
    return key === 'Enter' && isMeant ? () => answer('allow') : undefined;
  };
  useKeyDown(card, (event) => {
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    // Escape stops the turn where it takes no change back.
    event.stopPropagation();
    if (Date.now() - shownAt >= deafMs) act();
  });

  return {
    card,
    answered,
    /** Allow is not offered: it was answered, or nobody has seen the call to its end. */
    closed,
    call,
    /** The command as it is being written; undefined = it stands as it was asked. */
    draft,
    opened,
    refusal,
    unread: answered || (edits ? draftSeen : call.seen) ? null : call.hidesStart ? 'start' : 'end',
    setDraftSeen,
    write,
    answer,
    /** What is being said with a no; null = nothing. */
    reply,
    setReply,
    declineWith,
    leaveReply,
    allowAsWritten,
    edit,
    revert,
  } as const;
}

/**
 * Takes the keyboard when it appears, unless the person is writing or reading further up: an answer must never come from
 * a key that was meant for the message box, nor for what nobody sees.
 */
export function useFocusWhenAsked() {
  const card = useRef<HTMLElement>(null);
  const focus = useUi((ui) => ui.focus);
  const firstFocus = useRef(focus);
  const atEnd = useContext(AtEndContext);
  useEffect(() => {
    if (!atEnd()) return;
    const active = document.activeElement;
    const writing =
      (active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement) && active.value !== '';
    const busy = active !== null && active.closest('[role=menu], [role=alertdialog], [role=dialog]') !== null;
    if (!writing && !busy) card.current?.focus({ preventScroll: true });
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
  return card;
}
