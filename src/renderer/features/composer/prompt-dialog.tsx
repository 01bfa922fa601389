import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import type { FormValues } from '../../../protocol/form-question.ts';
import type { McpPrompt } from '../../../protocol/mcp-offers.ts';
import { initialInputs, type FormInputs } from '../../../rules/form-values.ts';
import { composer, figures } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { FormFields } from '../../components/form-fields.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useUi } from '../../stores/stores.ts';
import { Modal } from '../../components/modal.tsx';
import dialog from '../../components/dialog.module.css';

const { prompts: text } = composer;

/** What a prompt of a server wants to know before it becomes a draft. */
export function PromptDialog() {
  const form = useUi((ui) => ui.promptForm);
  return form && <Filled key={`${form.prompt.server}:${form.prompt.name}`} prompt={form.prompt} />;
}

function Filled({ prompt: { server, title, description, fields } }: { prompt: McpPrompt }) {
  const { run } = useCommands();
  const [draft, setDraft] = useState<FormInputs | null>(null);
  const inputs = draft ?? initialInputs(fields, figures);
  const [asked, setAsked] = useState(false);
  const leave = (): void => void run('prompt/leave');
  const fill = async (values: FormValues): Promise<void> => {
    if (asked) return;
    setAsked(true);
    if (!(await run('prompt/fill', { values }))) setAsked(false);
  };
  return (
    <Modal onClose={leave}>
      <div className={dialog.text}>
        <Dialog.Title>
          <VisibleText text={title} oneLine />
        </Dialog.Title>
        <Dialog.Description className="t2">
          <VisibleText text={description === '' ? text.from(server) : description} />
        </Dialog.Description>
        <FormFields
          fields={fields}
          inputs={inputs}
          disabled={asked}
          onChange={setDraft}
          onSend={(values) => void fill(values)}
        >
          <p className="meta">{text.goesTo(server)}</p>
          <div className="acts">
            <Button type="submit" kind="primary" disabled={asked}>
              {text.fill}
            </Button>
            <Button onClick={leave}>{text.leave}</Button>
          </div>
        </FormFields>
      </div>
    </Modal>
  );
}
