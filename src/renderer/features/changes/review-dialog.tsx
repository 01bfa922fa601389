/** The changes of a turn, one by one over the window: each stays, or is put back. */
import { useState } from 'react';
import { useStores, useUi } from '../../stores/stores.ts';
import { FileBody, LargeDialog } from './file-dialog.tsx';

export function ReviewDialog() {
  const { ui } = useStores();
  const review = useUi((state) => state.review);
  // While it closes it still shows what was open.
  const [shown, setShown] = useState({ review, at: 0 });
  if (review && review !== shown.review) setShown({ review, at: 0 });
  const close = (): void => ui.setState({ review: null });
  const { turnId, paths } = shown.review ?? { turnId: '', paths: [] };
  const path = paths[shown.at];
  const go = (step: 1 | -1): void =>
    setShown(({ at }) => ({ review: shown.review, at: Math.max(0, Math.min(at + step, paths.length - 1)) }));
  return (
    <LargeDialog open={review !== null} onClose={close}>
      {path !== undefined && (
        <FileBody
          key={path}
          path={path}
          review={{ turnId, at: shown.at, of: paths.length, go }}
          onClose={close}
        />
      )}
    </LargeDialog>
  );
}
