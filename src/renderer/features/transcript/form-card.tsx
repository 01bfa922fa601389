import { useState, type ReactNode } from 'react';
import type { FormQuestion, FormValues } from '../../../protocol/form-question.ts';
import type { Approval, ToolItem } from '../../../protocol/model.ts';
import { initialInputs } from '../../../rules/form-values.ts';
import { figures, formCard as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { FormFields } from '../../components/form-fields.tsx';
import { SafeLink } from '../../components/link.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useStores, useUi } from '../../stores/stores.ts';
import { setFormDraft } from '../../stores/ui-store.ts';
import { AskCard } from './ask-card.tsx';
import { useFocusWhenAsked } from './use-approval-answer.ts';
import styles from './approval.module.css';

interface FormCardProps {
  item: ToolItem;
  approval: Approval;
  form: FormQuestion;
}

/** What the server behind a running call wants to know. Nothing goes back before the person sends it. */
export function FormCard({ item, approval, form }: FormCardProps) {
  const { run } = useCommands();
  const { ui } = useStores();
  const { card } = useFocusWhenAsked();
  const [answered, setAnswered] = useState(item.decision !== null);

  const send = async (given: object): Promise<void> => {
    if (answered) return;
    setAnswered(true);
    const answer = { approvalId: approval.id, decision: 'deny', scope: 'once', ...given } as const;
    if (await run('approval/answer', answer)) setFormDraft(ui, approval.id, null);
    else setAnswered(false);
  };
  const { wanted } = form;
  const isForm = wanted.kind === 'fields';
  const acts = (
    <>
      <p className="meta">{isForm ? text.from : text.fromPage}</p>
      <div className="acts">
        <Button
          kind="primary"
          type={isForm ? 'submit' : 'button'}
          disabled={answered}
          onClick={isForm ? undefined : () => void send({ decision: 'allow' })}
        >
          {isForm ? text.send : text.goOn}
        </Button>
        <Button disabled={answered} onClick={() => void send({})}>
          {text.decline}
        </Button>
        <Button kind="quiet" disabled={answered} onClick={() => void send({ isCancelled: true })}>
          {text.cancel}
        </Button>
      </div>
    </>
  );
  return (
    <AskCard ref={card} label={text.label} title={<VisibleText text={text.title(form.server)} oneLine />}>
      <p className={styles.askedWords}>
        <VisibleText text={form.message} />
      </p>
      {wanted.kind === 'fields' ? (
        <Fields
          approvalId={approval.id}
          fields={wanted.fields}
          disabled={answered}
          onSend={(values) => void send({ decision: 'allow', values })}
        >
          {acts}
        </Fields>
      ) : (
        <>
          <Page url={wanted.url} />
          {acts}
        </>
      )}
    </AskCard>
  );
}

interface FieldsProps {
  approvalId: string;
  fields: Extract<FormQuestion['wanted'], { kind: 'fields' }>['fields'];
  disabled: boolean;
  onSend: (values: FormValues) => void;
  children: ReactNode;
}

function Fields({ approvalId, ...given }: FieldsProps) {
  const { ui } = useStores();
  const draft = useUi(({ formDrafts }) => formDrafts[approvalId]);
  const inputs = draft ?? initialInputs(given.fields, figures);
  return <FormFields {...given} inputs={inputs} onChange={(next) => setFormDraft(ui, approvalId, next)} />;
}

function Page({ url }: { url: string }) {
  return (
    <>
      <section className={`code ${styles.asked}`} aria-label={text.address}>
        <VisibleText text={url} />
      </section>
      <SafeLink href={url}>{text.open}</SafeLink>
    </>
  );
}
