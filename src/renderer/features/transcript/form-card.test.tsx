import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { FormField, FormQuestion } from '../../../protocol/form-question.ts';
import { AndironError } from '../../../protocol/errors.ts';
import { dictionaryOf, firstDictionary } from '../../../text/dictionaries.ts';
import { anApproval, anItem } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { speakFrom } from '../../text.ts';
import { OpenLinkContext } from '../../components/link.tsx';
import { FormCard } from './form-card.tsx';
import { stateWords } from './tool-facts.tsx';

const label = (name: string, title: string, isRequired = false) => ({
  name,
  title,
  description: `About ${name}`,
  isRequired,
});
const options = ['red', 'blue'].map((value) => ({ value, title: value.toUpperCase() }));
const fields: FormField[] = [
  {
    ...label('mail', 'Mail', true),
    kind: 'text',
    format: 'email',
    minLength: 0,
    maxLength: 100,
    initial: '',
  },
  { ...label('age', 'Age'), kind: 'number', isInteger: true, minimum: 1, maximum: 130, initial: 42 },
  { ...label('terms', 'Terms'), kind: 'boolean', initial: false },
  { ...label('colour', 'Colour'), kind: 'choice', options, several: null, initial: ['red'] },
  { ...label('more', 'More'), kind: 'choice', options, several: { min: 0, max: 1 }, initial: [] },
];
const url = `https://example.com/consent?for=${'x'.repeat(400)}`;

async function asked(wanted: FormQuestion['wanted'], onOpen: ((url: string) => void) | null = null) {
  const window = await openTestWindow();
  window.stores.ui.setState({ openSessionId: 's1' });
  const form = { server: 'notes', message: 'Who are you?', wanted };
  const approval = anApproval({ form });
  const item = anItem('tool', { state: 'awaiting_approval', approval });
  const card = (
    <OpenLinkContext value={onOpen}>
      <FormCard item={item} approval={approval} form={form} />
    </OpenLinkContext>
  );
  return { ...window, card, ...renderIn(window, card), user: userEvent.setup({ delay: null }) };
}
const askedFields = () => asked({ kind: 'fields', fields });
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const mail = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Mail' });

afterEach(() => speakFrom(firstDictionary));

it('The card of a server says who asks, what for, and that no secrets belong there', async () => {
  await askedFields();
  const { textContent } = screen.getByRole('region', { name: 'Question of a server' });
  for (const said of ['notes asks you', 'Who are you?', 'not by Andiron', 'Do not enter passwords'])
    expect(textContent).toContain(said);
});

it('A number of a form is written, limited and read as the language of the window writes it', async () => {
  speakFrom(await dictionaryOf('de'));
  const amount = { ...label('amount', 'Amount'), isInteger: false, minimum: 0.5, maximum: 2000 };
  const { user, host } = await asked({
    kind: 'fields',
    fields: [{ ...amount, kind: 'number', initial: 1250.5 }],
  });
  const field = screen.getByRole<HTMLInputElement>('textbox');
  expect(field.value).toBe('1.250,5');
  expect(screen.getByText(/0,5 bis 2\.000/)).toBeDefined();
  await user.clear(field);
  await user.type(field, '1.000');
  await press('Senden');
  await host.asked('approval/answer');
  expect(host.last('approval/answer')).toMatchObject({ values: { amount: 1000 } });
});

it('A form sends what was filled in, with what it began with and without what stayed empty', async () => {
  const { user, host } = await askedFields();
  await user.type(mail(), 'ada@example.com');
  await user.click(screen.getByRole('checkbox', { name: 'Terms optional' }));
  await user.selectOptions(screen.getByRole('combobox'), 'blue');
  await press('Send');
  await host.asked('approval/answer');
  expect(host.last('approval/answer')).toEqual({
    sessionId: 's1',
    approvalId: 'a1',
    decision: 'allow',
    scope: 'once',
    values: { mail: 'ada@example.com', age: 42, terms: true, colour: 'blue' },
  });
});

it('A form that does not fit is not sent: it says what is wrong and goes to the first such field', async () => {
  const { user, host } = await askedFields();
  await user.clear(screen.getByRole('textbox', { name: 'Age optional' }));
  await user.type(screen.getByRole('textbox', { name: 'Age optional' }), '200');
  await user.click(screen.getByRole('checkbox', { name: 'RED' }));
  await user.click(screen.getByRole('checkbox', { name: 'BLUE' }));
  await press('Send');
  expect(host.count('approval/answer')).toBe(0);
  expect(screen.getByText('Fill this in.')).toBeDefined();
  expect(screen.getByText('This is too large.')).toBeDefined();
  expect(screen.getByText('Choose fewer.')).toBeDefined();
  expect(document.activeElement).toBe(mail());
});

it('Enter in a field sends the form', async () => {
  const { user, host } = await askedFields();
  await user.type(mail(), 'ada@example.com{Enter}');
  await host.asked('approval/answer');
  expect(host.last('approval/answer')).toMatchObject({ values: { mail: 'ada@example.com' } });
});

it.each([
  ['Decline', { decision: 'deny' }],
  ['Not now', { decision: 'deny', isCancelled: true }],
])('%s answers a form without values', async (name, answer) => {
  const { host } = await askedFields();
  await press(name);
  await host.asked('approval/answer');
  expect(host.last('approval/answer')).toEqual({
    sessionId: 's1',
    approvalId: 'a1',
    scope: 'once',
    ...answer,
  });
});

it('A form that the host refuses can be corrected and sent again', async () => {
  const { user, host } = await askedFields();
  host.answer('approval/answer', () => new AndironError('invalid_params', 'This does not fit.'));
  await user.type(mail(), 'ada@example.com');
  await press('Send');
  await settled();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(false);
  expect(mail().value).toBe('ada@example.com');
});

it('What was filled in is still there after the card was scrolled away', async () => {
  const window = await askedFields();
  await window.user.type(mail(), 'ada@');
  window.unmount();
  renderIn(window, window.card);
  expect(mail().value).toBe('ada@');
});

it('A page that a server wants to have opened is shown with its whole address, and opened by the person alone', async () => {
  const opened: string[] = [];
  const { user, host } = await asked({ kind: 'address', url }, (address) => opened.push(address));
  expect(screen.getByRole('region', { name: 'Address' }).textContent).toContain(url);
  expect(opened).toEqual([]);
  await user.click(screen.getByRole('link', { name: 'Open page' }));
  expect(opened).toEqual([url]);
  expect(host.count('approval/answer')).toBe(0);
  await press('Continue');
  await host.asked('approval/answer');
  expect(host.last('approval/answer')).toEqual({
    sessionId: 's1',
    approvalId: 'a1',
    decision: 'allow',
    scope: 'once',
  });
});

it('A call that went on after nobody answered its form is not called declined', () => {
  const late = { decision: 'deny', timedOut: true } as const;
  expect(stateWords(anItem('tool', { state: 'done', ...late }))).toBe('done');
  expect(stateWords(anItem('tool', { state: 'declined', ...late }))).toContain('no answer in 10 minutes');
});
