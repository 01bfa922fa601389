import { describe, expect, it } from 'vitest';
import { maxAttachmentBytes, maxAttachments, maxPictureBytes } from '../../protocol/attachment-limits.ts';
import { MemoryStorage } from '../testing/window-kit.tsx';
import {
  collectionFile,
  fitting,
  lacksQuery,
  readStoredFiles,
  readyFile,
  resourceFile,
  storedFiles,
  withFile,
  type DraftFile,
} from './draft-files.ts';
import { createUiStore, setDraft, setDraftFiles, setRecall } from './ui-store.ts';

const attachment = { id: 'att_1', name: 'notes.md', kind: 'text', mime: 'text/markdown', bytes: 12 } as const;
const reduced = { bytes: 13_000_000, width: 1568, height: 1045 };
const uploading: DraftFile = {
  key: 'file-1',
  name: 'trace.json',
  bytes: 9,
  state: 'uploading',
  source: new File(['x'], 'trace.json'),
};

describe('what finds room in a message', () => {
  it('is refused for the reason that it has: empty, too large, or too many', () => {
    const files = [{ size: 0 }, { size: maxAttachmentBytes }, { size: maxAttachmentBytes + 1 }];
    const { taken, refused } = fitting(files, 0);
    expect(taken).toEqual([{ size: maxAttachmentBytes }]);
    expect(refused.map(({ why }) => why)).toEqual(['empty', 'too_large']);
  });

  it('takes a larger picture, which is made smaller first', () => {
    const [whole, film] = [
      { size: maxAttachmentBytes + 1, type: 'image/jpeg' },
      { size: maxPictureBytes + 1, type: 'image/jpeg' },
    ];
    expect(fitting([whole, film], 0)).toEqual({
      taken: [whole],
      refused: [{ file: film, why: 'too_large' }],
    });
  });

  it('counts those that are there already', () => {
    const { taken, refused } = fitting([{ size: 1 }, { size: 1 }], maxAttachments - 1);
    expect(taken).toHaveLength(1);
    expect(refused).toEqual([{ file: { size: 1 }, why: 'too_many' }]);
  });
});

describe('the files of a draft', () => {
  it('change wherever their draft is now, and not once they were taken away', () => {
    const ready = { ...readyFile(attachment), key: uploading.key };
    expect(withFile({ s1: [uploading] }, ready)).toEqual({ s1: [ready] });
    expect(withFile({ s1: [] }, ready)).toBeNull();
  });

  it('are there again after a reload, as far as the host has them', () => {
    const storage = new MemoryStorage();
    const files = [
      readyFile(attachment),
      readyFile({ ...attachment, id: 'att_2' }, reduced),
      collectionFile({ id: 'c1', name: 'Manuals' }),
    ];
    setDraftFiles(createUiStore(storage), 's1', [...files, uploading]);
    const { draftFiles } = createUiStore(storage).getState();
    expect(draftFiles).toEqual({ s1: files });
  });

  it('Files that were stored before there were collections are read as they were', () => {
    const resource = { server: 'notes', uri: 'note://1', name: 'Plan' };
    const before = { s1: [{ ...attachment, reduced }, resource] };
    expect(readStoredFiles(before)).toEqual({ s1: [readyFile(attachment, reduced), resourceFile(resource)] });
  });

  it('Only a collection needs words to go with it', () => {
    const collection = collectionFile({ id: 'c1', name: 'Manuals' });
    expect([
      lacksQuery(' ', [collection]),
      lacksQuery('a', [collection]),
      lacksQuery('', [uploading]),
    ]).toEqual([true, false, false]);
  });

  it('are left out where what was stored is none', () => {
    const broken = {
      s1: [{ ...attachment, reduced: { width: '9' } }, { ...attachment, kind: 'film' }, null],
      s2: 'x',
      s3: [{ id: 3 }, { collectionId: 3, name: 'Manuals' }],
    };
    expect(readStoredFiles(broken)).toEqual({ s1: [readyFile(attachment)] });
    expect(readStoredFiles(null)).toEqual({});
  });
});

it('what was not sent outlives the page also while an earlier message stands in its box', () => {
  const storage = new MemoryStorage();
  const store = createUiStore(storage);
  setRecall(store, 's1', { turnId: 't1', unsent: 'half a thought', changed: {} });
  setDraft(store, 's1', 'an earlier message');
  expect(createUiStore(storage).getState().drafts).toEqual({ s1: 'half a thought' });
});

it('A resource of a server waits through a reload, and what only looks like one is left out', () => {
  const resource = { server: 'notes', uri: 'note://1', name: 'Plan' };
  const all = { s1: [resourceFile(resource)] };
  const stored: unknown = JSON.parse(JSON.stringify(storedFiles(all)));
  expect(readStoredFiles(stored)).toEqual(all);
  expect(readStoredFiles({ s1: [{ server: 'notes', uri: 7, name: 'Plan' }] })).toEqual({});
});
