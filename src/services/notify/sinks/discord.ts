import type { Json } from '../../../core/errors.ts';
import type { NotificationLevel } from '../../../core/ports/notify.ts';
import { cut, type Message } from '../message.ts';
import { linesOf, titleOf } from './text.ts';

const COLORS: Readonly<Record<NotificationLevel, number>> = { info: 0x2e86de, warning: 0xe67e22, error: 0xc0392b };

/** One embed; nobody is called by a name in the text. */
export const discordBody = (message: Message): Json => ({
  embeds: [
    {
      title: cut(titleOf(message), 256),
      description: cut(linesOf(message), 4000),
      color: COLORS[message.level],
      timestamp: message.at,
      footer: { text: 'factotum' },
    },
  ],
  allowed_mentions: { parse: [] },
});
