import { expect, test } from 'vitest';
import { toolCollections } from './open-collections.ts';

const searched: string[] = [];
const access = (speaker: string | null) =>
  toolCollections({ speakerOf: () => speaker }, () => ({
    collections: {
      hasAny: () => true,
      namesOf: (userId) => (userId === 'owner' ? ['Manuals'] : []),
      idOf: () => 'col_1',
      search(userId) {
        searched.push(userId);
        return Promise.resolve({ passages: [], byMeaning: false, unread: 2 });
      },
    },
    numberSource: () => 1,
  }));
const way = { sessionId: 's', turnId: 't', signal: new AbortController().signal };

test('A session of somebody else searches no collection of the owner', async () => {
  for (const speaker of ['guest', null]) {
    const search = access(speaker).search({ query: 'gasket', name: 'Manuals' }, way);
    await expect(search).rejects.toThrow('There is no collection that this session may search.');
  }
  expect(searched).toEqual([]);
});

test('A search says how many files were not read yet', async () => {
  const { remarks } = await access('owner').search({ query: 'gasket', name: null }, way);
  expect(remarks).toEqual(['2 files were not read yet.']);
  expect(searched).toEqual(['owner']);
});
