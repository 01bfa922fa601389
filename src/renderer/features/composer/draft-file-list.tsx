import { composer as text } from '../../text.ts';
import { AttachmentChip } from '../../components/attachment-chip.tsx';
import { kindWords } from '../../components/attachment-words.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useAttached } from '../../commands/use-attached.ts';
import { attachmentsOf, type DraftFile } from '../../stores/draft-files.ts';
import { useEngine, useUi } from '../../stores/stores.ts';
import { draftKey } from '../../stores/ui-store.ts';
import { useTarget } from '../../stores/use-target.ts';
import { effectiveModel } from '../../stores/derive.ts';
import { canSee, listedModels, standingWords } from './model-words.ts';
import styles from './composer.module.css';
import attachmentStyles from '../../components/attachment.module.css';

const none: DraftFile[] = [];

export function useDraftFiles(): DraftFile[] {
  return useUi((ui) => ui.draftFiles[draftKey(ui.openSessionId)] ?? none);
}

/** The files that go with the message, above its text; below them what keeps it, or the model, from them. */
export function DraftFiles() {
  const files = useDraftFiles();
  if (files.length === 0) return null;
  const failed = files.filter(({ state }) => state === 'failed');
  return (
    <>
      {/* What needs an answer comes first: the others may be scrolled away. */}
      <ul className={attachmentStyles.list} aria-label={text.files.label}>
        {[...failed, ...files.filter((file) => !failed.includes(file))].map((file) => (
          <li key={file.key} className={chipClass(file)}>
            <DraftFileChip file={file} all={files} />
          </li>
        ))}
      </ul>
      {failed.length > 0 && (
        <p className={`${styles.besideFiles} meta`}>
          {text.files.failedOf(failed.length, files.length)} {text.files.failed}
        </p>
      )}
      <Unseen files={files} />
    </>
  );
}

function DraftFileChip({ file, all }: { file: DraftFile; all: readonly DraftFile[] }) {
  const { run } = useCommands();
  const { key, name, bytes } = file;
  const image = file.state === 'ready' && file.attachment.kind === 'image' ? file.attachment : null;
  const { value, failure } = useAttached(image?.id ?? null);
  const uploading = file.state === 'uploading';
  const remove = (
    <IconButton
      icon="x"
      label={uploading ? text.files.cancel(name) : text.files.remove(name)}
      onClick={() => void run('composer/remove-file', { key })}
    />
  );
  if (file.state === 'failed') {
    return (
      <AttachmentChip name={name} meta={`${file.message} ${file.advice}`.trim()} icon="failed" tone="fail">
        <Button small onClick={() => void run('composer/retry-file', { key })}>
          {text.files.retry}
        </Button>
        {remove}
      </AttachmentChip>
    );
  }
  if (file.state === 'resource') {
    return (
      <AttachmentChip name={name} meta={text.files.readLater(file.resource.server)} icon="plug">
        {remove}
      </AttachmentChip>
    );
  }
  if (file.state === 'collection') {
    return (
      <AttachmentChip name={name} meta={text.collections.later} icon="collection">
        {remove}
      </AttachmentChip>
    );
  }
  if (uploading) {
    return (
      <AttachmentChip
        name={name}
        meta={text.files.meta(text.files.uploading, bytes)}
        icon="running"
        tone="run"
      >
        {remove}
      </AttachmentChip>
    );
  }
  return (
    <AttachmentChip
      name={name}
      meta={failure?.message ?? readyWords(file)}
      picture={value}
      undrawn={text.files.undrawn(kindWords(file.attachment), bytes)}
      icon="file"
      look={{
        label: text.files.look(name),
        onLook: () => void run('attachment/look', { files: attachmentsOf(all), id: file.attachment.id }),
      }}
    >
      {remove}
    </AttachmentChip>
  );
}

/** What has more to say has more room. */
function chipClass(file: DraftFile): string {
  if (file.state === 'failed') return `${attachmentStyles.file} ${attachmentStyles.bad}`;
  return file.state === 'ready' && file.reduced
    ? `${attachmentStyles.file} ${attachmentStyles.reduced}`
    : attachmentStyles.file;
}

function readyWords({ attachment, reduced, bytes }: Extract<DraftFile, { state: 'ready' }>): string {
  if (!reduced) return text.files.meta(kindWords(attachment), bytes);
  return text.files.reduced(reduced.bytes, reduced.width, reduced.height);
}

/** An image for a model that does not see it, before it is sent; with the way to one that does. */
function Unseen({ files }: { files: readonly DraftFile[] }) {
  const { run } = useCommands();
  const target = useTarget();
  const engine = useEngine((state) => state.engine);
  const hasImage = files.some((file) => file.state === 'ready' && file.attachment.kind === 'image');
  const models = engine ? listedModels(engine) : [];
  const name = effectiveModel(target, engine);
  const model = models.find((each) => each.name === name);
  if (!hasImage || !engine || !model || canSee(model) !== false) return null;
  const seer = models.find((each) => canSee(each) === true);
  return (
    <output className={styles.besideFiles}>
      <span className="st warn">
        <Icon name="alert" />
        {text.files.unseen(model.name)}
      </span>
      {seer ? (
        <Button small onClick={() => void run('session/set-model', { model: seer.name })}>
          {text.files.seer(seer.name, standingWords(engine, seer, undefined))}
        </Button>
      ) : (
        <Button small onClick={() => void run('view/settings-of', { section: 'models' })}>
          {text.files.noSeer}
        </Button>
      )}
    </output>
  );
}
