import { describe, expect, it } from 'vitest';
import { keepsMark, nextTexts, warmPrefix } from './warm-prefix.ts';

const none = { mark: '', isAdded: false };
const head = `<|im_start|>system\nYou are a careful assistant. Use the tools.${' Look first.'.repeat(5)}<|im_end|>\n`;
const [one, other] = nextTexts;

describe('the text of a warm-up', () => {
  it('is what two prompts have in common, up to where a message begins', () => {
    const prompt = (text: string): string =>
      `${head}<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`;
    expect(warmPrefix(prompt(one), prompt(other), none)).toBe(`${head}<|im_start|>user\n`);
  });

  it('keeps the lines of an opening whole', () => {
    const prompt = (text: string): string => `${head}<|im_start|>user\nWorkspace folder: /home/x\n\n${text}`;
    expect(warmPrefix(prompt(one), prompt(other), none)).toBe(
      `${head}<|im_start|>user\nWorkspace folder: /home/x\n\n`,
    );
  });

  it('leaves a blank before the message to the message: it may be one token with its first word', () => {
    const prompt = (text: string): string => `${head}[INST] ${text}[/INST]`;
    expect(warmPrefix(prompt(one), prompt(other), none)).toBe(`${head}[INST]`);
  });

  it('goes back to the last border where the common text ends inside of a line', () => {
    const prompt = (text: string): string => `${head}User says: ${text}`;
    expect(warmPrefix(prompt(one), prompt(other), none)).toBe(head);
  });

  it('begins behind the mark that the tokenizer adds by itself', () => {
    const mark = '<|startoftext|>';
    const prompts = nextTexts.map((text) => `${mark}${head}<|im_start|>user\n${text}`);
    const [a = '', b = ''] = prompts;
    expect(warmPrefix(a, b, { mark, isAdded: true })).toBe(`${head}<|im_start|>user\n`);
    expect(warmPrefix(a, b, { mark, isAdded: false })).toBe(`${mark}${head}<|im_start|>user\n`);
  });

  it('keeps the one mark that Ollama takes off a raw prompt', () => {
    expect(keepsMark('<bos>')).toBe(true);
    const prompts = nextTexts.map((text) => `<bos>${head}<|im_start|>user\n${text}`);
    const [a = '', b = ''] = prompts;
    expect(warmPrefix(a, b, { mark: '<bos>', isAdded: true })?.startsWith('<bos>')).toBe(true);
  });

  it('is nothing where the prompts hardly have anything in common', () => {
    expect(warmPrefix('<|user|>Go on.', '<|user|>Why?', none)).toBeNull();
  });

  it('ends where a message begins because the two messages differ from their first character on', () => {
    expect(one[0]).not.toBe(other[0]);
  });
});
