import { useState } from 'react';
import type { Setup } from '../../../protocol/model.ts';
import { setup as text } from '../../text.ts';
import { downloadBytes } from '../../formats.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { SetupJob } from '../../components/setup-job.tsx';
import { useCommands } from '../../commands/commands.ts';
import { ActionButton } from './controls.tsx';
import { FailureLine, Row, SettingGroup } from './pane-parts.tsx';
import { useAttempt } from './use-attempt.ts';
import styles from './settings.module.css';

/** Ollama in Andiron's own folder: the offer, how far it is, its update and its end. Never begun unasked. */
export function EngineSetup({ setup: { offer, installed, job } }: { setup: Setup }) {
  const { registry } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [asks, setAsks] = useState<'program' | 'all' | null>(null);
  const begin = (): void => void attempt(() => registry['setup/begin'].run());
  const newer = installed && offer && offer.version !== installed.version ? offer.version : null;
  if (!offer && !installed && !job && !failure) return null;
  return (
    <SettingGroup label={text.title} help={installed ? '' : text.offerHelp}>
      {(installed ?? offer) && (
        <dl className={styles.rows}>
          {installed && (
            <Row label={text.installed(installed.version, installed.sizeBytes)}>
              <span className="mono">{installed.folder}</span>
            </Row>
          )}
          {offer && (!installed || newer !== null) && (
            <>
              <Row label={text.size}>
                {text.offer(offer.version)}, {sizeOf(offer)}
              </Row>
              <Row label={text.from}>
                <span className="mono">{offer.url}</span>
              </Row>
              <Row label={text.to}>
                <span className="mono">{offer.folder}</span>
              </Row>
            </>
          )}
        </dl>
      )}
      {job && (
        <SetupJob
          job={job}
          onPause={() => void attempt(() => registry['setup/cancel'].run())}
          onResume={begin}
        />
      )}
      {!job && (offer ?? installed) && (
        <div className="acts">
          {offer && !installed && (
            <ActionButton busy={busy} onClick={begin}>
              {text.begin}
            </ActionButton>
          )}
          {newer !== null && (
            <ActionButton busy={busy} onClick={begin}>
              {text.update(newer)}
            </ActionButton>
          )}
          {installed && (
            <>
              <ActionButton kind="danger" busy={busy} onClick={() => setAsks('program')}>
                {text.remove}
              </ActionButton>
              <ActionButton kind="danger" busy={busy} onClick={() => setAsks('all')}>
                {text.removeAll}
              </ActionButton>
            </>
          )}
        </div>
      )}
      {failure && <FailureLine failure={failure} />}
      <ConfirmDialog
        open={asks !== null}
        title={text.removeTitle}
        text={asks === 'all' ? text.removeModelsText : text.removeText}
        confirm={asks === 'all' ? text.removeAll : text.remove}
        keep={text.keep}
        onClose={() => setAsks(null)}
        onConfirm={() => void attempt(() => registry['setup/remove'].run({ models: asks === 'all' }))}
      />
    </SettingGroup>
  );
}

function sizeOf({ downloadBytes: size }: NonNullable<Setup['offer']>): string {
  if (size === null) return text.sizeUnknown;
  return size === 0 ? text.downloaded : downloadBytes(size);
}
