/** Which messages of Telegram are meant for Andiron, and what of them it is given. */
import type { Message, MessageEntity, UserFromGetMe } from 'grammy/types';
import type { IncomingPlatformMessage } from '../platform-bridge.ts';

export interface TelegramFile {
  fileId: string;
  name: string;
  bytes: number | undefined;
}

export interface TelegramMessage {
  message: Omit<IncomingPlatformMessage, 'files'>;
  files: TelegramFile[];
}

/** null = it is not meant for Andiron: of another bot, or in a group without its name. */
export function readUpdate(message: Message, me: UserFromGetMe): TelegramMessage | null {
  const { from, chat } = message;
  if (!from || from.is_bot) return null;
  const written = message.text ?? message.caption ?? '';
  const mentions = (message.entities ?? message.caption_entities ?? []).filter((entity) =>
    isMention(entity, written, me),
  );
  const isDirect = chat.type === 'private';
  const isReply = message.reply_to_message?.from?.id === me.id;
  if (!isDirect && mentions.length === 0 && !isReply) return null;
  const text = withoutMentions(written, mentions);
  const files = filesOf(message);
  if (text === '' && files.length === 0) return null;
  const isThread = message.is_topic_message === true && message.message_thread_id !== undefined;
  return {
    message: {
      messageId: String(message.message_id),
      platformUserId: String(from.id),
      userName: [from.first_name, from.last_name ?? ''].join(' ').trim().slice(0, 100),
      server: '',
      channel: String(chat.id),
      thread: isThread ? String(message.message_thread_id) : '',
      isDirect,
      text,
    },
    files,
  };
}

/** Offsets count UTF-16 units, as strings do here. */
function isMention(
  { type, offset, length, ...entity }: MessageEntity,
  text: string,
  me: UserFromGetMe,
): boolean {
  if (type === 'text_mention') return 'user' in entity && entity.user.id === me.id;
  const said = text.slice(offset, offset + length).toLowerCase();
  const name = `@${me.username.toLowerCase()}`;
  return type === 'mention' ? said === name : type === 'bot_command' && said.endsWith(name);
}

function withoutMentions(text: string, mentions: readonly MessageEntity[]): string {
  let rest = text;
  for (const { type, offset, length } of mentions.toSorted((a, b) => b.offset - a.offset)) {
    const said = rest.slice(offset, offset + length);
    const kept = type === 'bot_command' ? said.slice(0, said.indexOf('@')) : '';
    rest = rest.slice(0, offset) + kept + rest.slice(offset + length);
  }
  return rest.trim();
}

function filesOf({ photo, document, voice, audio, video }: Message): TelegramFile[] {
  // The largest comes last.
  const picture = photo?.at(-1);
  return [
    ...(picture ? [file(picture, 'photo.jpg')] : []),
    ...(document ? [file(document, 'file')] : []),
    ...(voice ? [file(voice, 'voice.ogg')] : []),
    ...(audio ? [file(audio, 'audio')] : []),
    ...(video ? [file(video, 'video.mp4')] : []),
  ];
}

const file = (
  found: { file_id: string; file_size?: number; file_name?: string },
  name: string,
): TelegramFile => ({
  fileId: found.file_id,
  name: (found.file_name ?? name).slice(0, 255),
  bytes: found.file_size,
});
