import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FolderPictureContext, folderPath } from './folder-pictures.ts';
import { Markdown } from './markdown.tsx';

describe('the address of a picture', () => {
  it.each([
    ['chart.png', 'chart.png'],
    ['./out/a%20b.png', './out/a b.png'],
    ['../chart.png', '../chart.png'],
    ['/home/ada/kiln/chart.png', '/home/ada/kiln/chart.png'],
    ['C:\\kiln\\chart.png', 'C:\\kiln\\chart.png'],
    ['100%.png', '100%.png'],
  ])('%j names a file', (href, path) => {
    expect(folderPath(href)).toBe(path);
  });

  it.each([
    'https://a.example/x.png',
    'HTTP://a.example/x.png',
    '//a.example/x.png',
    '\\\\a.example\\share\\x.png',
    '%2F%2Fa.example/x.png',
    'data:image/png;base64,AA',
    'javascript:run()',
    'java%73cript:run()',
    'file:///etc/x.png',
    'blob:x',
    '#x',
    '?x',
    '',
    'a%00b.png',
    'a\nb.png',
  ])('%j leads elsewhere', (href) => {
    expect(folderPath(href)).toBeNull();
  });
});

it('only pictures of the folder are drawn as pictures', () => {
  const asked: string[] = [];
  const draw = ({ path, alt }: { path: string; alt: string }) => {
    asked.push(`${path} ${alt}`);
    return <b>{path}</b>;
  };
  const { container } = render(
    <FolderPictureContext value={draw}>
      <Markdown
        text={
          '![a](one.png) ![b](https://a.example/two.png) ![c](<my chart.png>) ![d](data:image/png;base64,AA)'
        }
        complete
      />
    </FolderPictureContext>,
  );
  expect(asked).toEqual(['one.png a', 'my chart.png c']);
  expect(container.textContent).toBe(
    'one.png image: b (https://a.example/two.png) my chart.png image: d (data:image/png;base64,AA)',
  );
  expect(container.querySelector('img')).toBeNull();
});
