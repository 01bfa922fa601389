import { Dialog } from '@base-ui/react/dialog';
import type { Attachment } from '../../../protocol/attachments.ts';
import { composer as text } from '../../text.ts';
import { AttachmentChip } from '../../components/attachment-chip.tsx';
import { kindWords } from '../../components/attachment-words.ts';
import { Button } from '../../components/button.tsx';
import { usePicture } from '../../commands/use-picture.ts';

/** What went with a message: images to be looked at, other files by name. */
export function SentFiles({ attachments }: { attachments: readonly Attachment[] }) {
  return (
    <ul className="attachments" aria-label={text.files.label}>
      {attachments.map((attachment) => (
        <li key={attachment.id} className={attachment.kind === 'image' ? 'picture' : 'attachment'}>
          {attachment.kind === 'image' ? (
            <SentPicture attachment={attachment} />
          ) : (
            <SentFile attachment={attachment} />
          )}
        </li>
      ))}
    </ul>
  );
}

function SentFile({ attachment, gone }: { attachment: Attachment; gone?: string }) {
  const { name, bytes } = attachment;
  const meta = gone ?? text.files.meta(kindWords(attachment), bytes);
  return <AttachmentChip name={name} meta={meta} icon="file" />;
}

/** Small in the message; a press shows all of it. */
function SentPicture({ attachment }: { attachment: Attachment }) {
  const { value, failure } = usePicture(attachment.id);
  const { name } = attachment;
  if (failure) {
    return (
      <span className="attachment">
        <SentFile attachment={attachment} gone={failure.message} />
      </span>
    );
  }
  return (
    <Dialog.Root>
      <Dialog.Trigger className="picture-open" aria-label={text.files.look(name)} title={name}>
        {/* As tall as the picture will be: what comes in does not push the transcript. */}
        {value !== null && <img src={value} alt="" decoding="async" />}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dialog picture-whole">
          <Dialog.Title className="cut">{name}</Dialog.Title>
          {value !== null && <img src={value} alt={name} />}
          <Dialog.Close render={<Button kind="quiet" icon="x" label={text.files.close} />} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
