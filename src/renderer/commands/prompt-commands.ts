/** Prompts of servers: filled in, and put into the message box. Nothing is sent before the person sends it. */
import type { FormValues } from '../../protocol/form-question.ts';
import type { McpPrompt } from '../../protocol/mcp-offers.ts';
import { composer as text } from '../text.ts';
import type { UiStore } from '../stores/ui-store.ts';
import { addNews, addNotice, draftKey, requestFocus, setDraft, setDraftOrigin } from '../stores/ui-store.ts';
import { command, type HostConnection } from './command.ts';

export function createPromptCommands(host: HostConnection, ui: UiStore) {
  const fill = async (draft: string, { server, name }: McpPrompt, values: FormValues): Promise<void> => {
    const { text: words, leftOut } = await host.call('mcp/prompt', { server, name, values });
    ui.setState({ promptForm: null });
    if (words === '') return addNotice(ui, text.prompts.empty(server, name), text.prompts.emptyAdvice);
    const written = ui.getState().drafts[draft] ?? '';
    setDraft(ui, draft, written === '' ? words : `${words}\n\n${written}`);
    setDraftOrigin(ui, draft, { server, prompt: name });
    if (leftOut > 0) addNews(ui, text.prompts.leftOut(leftOut));
    if (draft === draftKey(ui.getState().openSessionId)) requestFocus(ui, 'composer');
  };

  return {
    /** Asks for its arguments first, where it takes any. */
    'prompt/begin': command<{ prompt: McpPrompt }>({
      run: async ({ prompt }) => {
        const draft = draftKey(ui.getState().openSessionId);
        if (prompt.fields.length > 0) ui.setState({ promptForm: { draft, prompt } });
        else await fill(draft, prompt, {});
      },
    }),
    'prompt/fill': command<{ values: FormValues }>({
      run: async ({ values }) => {
        const { promptForm } = ui.getState();
        if (promptForm) await fill(promptForm.draft, promptForm.prompt, values);
      },
    }),
    'prompt/leave': command({
      run: () => {
        ui.setState({ promptForm: null });
        requestFocus(ui, 'composer');
      },
    }),
  };
}
