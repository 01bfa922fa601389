import { describe, expect, test } from 'vitest';
import { isOpenable } from './openable-files.ts';

describe('the kinds of file that the system may open', () => {
  test.each([
    'notes.txt',
    'src/a.ts',
    'README.md',
    'chart.PNG',
    'paper.pdf',
    String.raw`C:\work\a.json`,
    'a.b.webp',
  ])('include %s (audit-S24)', (name) => expect(isOpenable(name)).toBe(true));

  const others = [
    'run.jsx macro.docm macro.xlsm query.iqy sheet.slk page.html page.xhtml drawing.svg data.csv data.xml',
    'letter.doc letter.docx letter.odt letter.rtf book.xls book.xlsx list.m3u link.webloc open.fileloc Tool.app',
    'run.exe run.cmd run.ps1 run.sh run.py run.js run.jar run.desktop run.lnk run.url doc.chm disk.iso pack.zip',
    'mail.eml card.vcf Makefile .bashrc txt .txt a.txt. a.exe:b.txt run.exe::$DATA a.tx\u0442 a.t\u200bxt a.\u202etxt',
  ].flatMap((names) => names.split(' '));

  test.each([...others, 'a.txt ', 'a.txt\n', ''])('exclude %j (audit-S24)', (name) =>
    expect(isOpenable(name)).toBe(false),
  );
});
