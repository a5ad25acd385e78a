import type { TelegramSink } from '../../../core/ports/notify.ts';
import { cut, type Message } from '../message.ts';
import type { VendorRequest } from './post.ts';

import { linesOf, titleOf } from './text.ts';

/** A plain message of a bot: without a parse mode nothing in the text has a meaning. */
export const telegramRequest = ({ bot_token, chat_id }: TelegramSink, message: Message): VendorRequest => ({
  url: `https://api.telegram.org/bot${encodeURIComponent(bot_token).replaceAll('%3A', ':')}/sendMessage`,
  body: {
    chat_id,
    text: cut([titleOf(message), linesOf(message)].join('\n').trimEnd(), 4096),
    link_preview_options: { is_disabled: true },
  },
});
