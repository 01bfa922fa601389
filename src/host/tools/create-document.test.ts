import { afterEach, beforeEach, expect, it } from 'vitest';
import { workbench, type Workbench } from './testing.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.remove());

it('create_document writes Markdown into a file named after its title, and brings the file out (C3)', async () => {
  const result = await bench.call('create_document', { title: 'Python  Tutorials!', content: '1. Read.\n' });
  const text = '# Python Tutorials!\n\n1. Read.\n';
  expect(bench.read('python_tutorials.md')).toBe(text);
  expect(result).toMatchObject({
    ok: true,
    content: 'Created python_tutorials.md (+3 -0).',
    files: [
      { name: 'python_tutorials.md', path: 'python_tutorials.md', bytes: text.length, mime: 'text/markdown' },
    ],
  });
});

it.each([
  ['../../etc/passwd', 'etc_passwd.md'],
  ['.git/config', 'git_config.md'],
  ['C:\\Windows\\x', 'c_windows_x.md'],
  ['Straße nach Łódź 3', 'straße_nach_łódź_3.md'],
  ['a'.repeat(500), `${'a'.repeat(60)}.md`],
])('A title such as %s names a file in the folder itself', async (title, name) => {
  const result = await bench.call('create_document', { title, content: 'x' });
  expect(result.files?.map(({ path }) => path)).toEqual([name]);
});

it('A title without a letter or digit is refused before anybody is asked', async () => {
  const result = await bench.call('create_document', { title: '…', content: 'x' });
  expect(result).toMatchObject({
    ok: false,
    content: expect.stringContaining('no letter or digit') as string,
  });
});

it('create_document asks as write_file does, and replaces no file that was not read', async () => {
  bench.write('plan.md', 'mine');
  const asked = bench.parse('create_document', { title: 'Plan', content: 'x' });
  expect(asked).toMatchObject({ subject: 'plan.md', need: { risk: 'write', scopes: ['once', 'session'] } });
  expect(await bench.call('create_document', { title: 'Plan', content: 'x' })).toMatchObject({ ok: false });
  expect(bench.read('plan.md')).toBe('mine');
});
