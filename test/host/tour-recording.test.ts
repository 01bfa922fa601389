/** The tour's recording can be made again: the script that made it still gets through on this host. */
import { expect, test } from 'vitest';
import { recordTour } from '../../scripts/record-tour.ts';
import { recordingOf } from '../../src/renderer/features/onboarding/tour-recording.ts';

test('The script that records the tour finds every chapter of it on this host', async () => {
  const written = JSON.stringify(await recordTour(50));
  const { chapters, begin } = recordingOf(written);
  expect(chapters.map(({ name }) => name)).toEqual(['asks', 'plans', 'ticks', 'approves', 'done', 'stops']);
  expect(begin.session.workspace).toBe('bookbox');
  expect(written).not.toContain('andiron-house-');
});
