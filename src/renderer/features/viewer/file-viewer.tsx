import { Dialog } from '@base-ui/react/dialog';
import { useImperativeHandle, useRef, useState, type Ref } from 'react';
import type { Attachment } from '../../../protocol/attachments.ts';
import { fileText } from '../../../rules/file-text.ts';
import { composer } from '../../text.ts';
import { kindWords } from '../../components/attachment-words.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/code/code-block.tsx';
import { useArrowStep } from '../../components/line-way.ts';
import { ScrollText } from '../../components/scroll-region.tsx';
import { bytesOf } from '../../commands/attached-files.ts';
import { useCommands } from '../../commands/commands.ts';
import { useAttached } from '../../commands/use-attached.ts';
import { useUi } from '../../stores/stores.ts';
import { Picture, ZoomControls, type Size } from './picture.tsx';
import { useZoom } from './use-zoom.ts';
import { Modal } from '../../components/modal.tsx';
import styles from './viewer.module.css';

const text = composer.viewer;

/** The files of a message, one at a time, over the whole window. It outlives the row that it was opened from. */
export function FileViewer() {
  const { run } = useCommands();
  const looking = useUi((ui) => ui.looking);
  const arrowStep = useArrowStep();
  const close = useRef<HTMLButtonElement>(null);
  const viewed = useRef<ViewedKeys>(null);
  // While it closes it still shows what was open.
  const [last, setLast] = useState(looking);
  if (looking && looking !== last) setLast(looking);
  const file = last?.files[last.at];
  return (
    <Modal
      open={looking !== null}
      className={styles.viewer}
      onClose={() => void run('attachment/close')}
      initialFocus={close}
      onKeyDown={(event) => {
        const { key, altKey, ctrlKey, metaKey } = event;
        if (altKey || ctrlKey || metaKey) return;
        if (viewed.current?.press(key)) {
          // It scrolls by itself where it has the keyboard, and would twice.
          event.preventDefault();
          return;
        }
        if (event.shiftKey) return;
        const by = arrowStep(key);
        if (by !== undefined) void run('attachment/step', { by });
      }}
    >
      {last && file && (
        <>
          <Head file={file} at={last.at} of={last.files.length} closeRef={close} />
          <Viewed key={file.id} ref={viewed} file={file} />
        </>
      )}
    </Modal>
  );
}

/** What stays while one file follows the other. */
function Head({ file, at, of, closeRef }: HeadProps) {
  const { run } = useCommands();
  return (
    <header>
      <Dialog.Title className="cut" dir="auto" title={file.name}>
        {file.name}
      </Dialog.Title>
      {of > 1 && (
        <>
          <span className="meta num" aria-live="polite">
            {text.place(at + 1, of)}
          </span>
          <Step by={-1} disabled={at === 0} />
          <Step by={1} disabled={at === of - 1} />
        </>
      )}
      <Button
        ref={closeRef}
        kind="quiet"
        icon="x"
        label={text.close}
        onClick={() => void run('attachment/close')}
      />
    </header>
  );
}

interface HeadProps {
  file: Attachment;
  at: number;
  of: number;
  closeRef: { current: HTMLButtonElement | null };
}

/** At an end it keeps the keyboard, and says that there is no more. */
function Step({ by, disabled }: { by: 1 | -1; disabled: boolean }) {
  const { run } = useCommands();
  return (
    <Button
      kind="quiet"
      icon={by === -1 ? 'previous' : 'right'}
      label={by === -1 ? text.before : text.after}
      aria-disabled={disabled}
      onClick={() => void run('attachment/step', { by })}
    />
  );
}

interface ViewedKeys {
  /** true = the key was for what is shown. */
  press: (key: string) => boolean;
}

/** One file, and what can be done with it. */
function Viewed({ ref, file }: { ref: Ref<ViewedKeys>; file: Attachment }) {
  const { run } = useCommands();
  const zoom = useZoom();
  useImperativeHandle(ref, () => ({ press: zoom.press }));
  // Of what is not shown nothing is read.
  const { value: content, failure } = useAttached(file.kind === 'other' ? null : file.id);
  const [picture, setPicture] = useState<'broken' | Size | null>(null);
  const size = picture === 'broken' ? null : picture;
  const facts = [composer.files.meta(kindWords(file), file.bytes)];
  if (size) facts.push(text.pixels(size.width, size.height));
  const problem = failure
    ? `${failure.message} ${failure.advice}`.trim()
    : file.kind === 'other'
      ? text.unshown
      : picture === 'broken'
        ? text.broken(file.name)
        : null;
  return (
    <>
      {problem !== null ? (
        <p className={styles.told}>{problem}</p>
      ) : content === null ? (
        <p className={`${styles.told} t3`}>{text.opening}</p>
      ) : file.kind === 'text' ? (
        <TextContent name={file.name} whole={textOf(content)} />
      ) : (
        <Picture
          address={content}
          name={file.name}
          zoom={zoom}
          size={size}
          onSize={setPicture}
          onBroken={() => setPicture('broken')}
        />
      )}
      <footer>
        <span className="meta num">{facts.join(', ')}</span>
        {size && <ZoomControls zoom={zoom} />}
        {content !== null && <CopyContent file={file} content={content} />}
        <Button
          kind="quiet"
          small
          icon="get"
          disabled={failure !== null}
          onClick={() => void run('attachment/save', { file })}
        >
          {text.save}
        </Button>
      </footer>
    </>
  );
}

function CopyContent({ file, content }: { file: Attachment; content: string }) {
  if (file.kind === 'text') return <CopyButton text={() => textOf(content)} />;
  return canCopyPictures() && <CopyButton text={content} write={copyPicture} />;
}

/** More is slow to lay out, and nobody scrolls through it. */
const maxShown = 200_000;

function TextContent({ name, whole }: { name: string; whole: string }) {
  return (
    <>
      <ScrollText className={styles.textContent} label={name}>
        {whole.slice(0, maxShown)}
      </ScrollText>
      {whole.length > maxShown && <p className={`meta ${styles.rest}`}>{text.cut(maxShown, whole.length)}</p>}
    </>
  );
}

function textOf(address: string): string {
  return fileText(bytesOf(address)) ?? '';
}

function canCopyPictures(): boolean {
  return typeof ClipboardItem !== 'undefined' && typeof OffscreenCanvas !== 'undefined';
}

/** As PNG: clipboards take nothing else from a page. */
async function copyPicture(address: string): Promise<void> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  const png = await canvas.convertToBlob({ type: 'image/png' });
  await navigator.clipboard.write([new ClipboardItem({ [png.type]: png })]);
}
