import type { Json } from '../../../core/errors.ts';
import type { NotificationLevel } from '../../../core/ports/notify.ts';
import { cut, type Message } from '../message.ts';
import { linesOf, titleOf } from './text.ts';

const COLORS: Readonly<Record<NotificationLevel, string>> = { info: 'accent', warning: 'warning', error: 'attention' };

/** An adaptive card, as workflows take it. Texts are cut so that the whole stays below the 28 KB of a message. */
export const teamsBody = (message: Message): Json => {
  const text = cut(linesOf(message), 6000);
  const title = {
    type: 'TextBlock',
    text: escaped(cut(titleOf(message), 250)),
    size: 'large',
    weight: 'bolder',
    color: COLORS[message.level],
    wrap: true,
  };
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: text === '' ? [title] : [title, { type: 'TextBlock', text: escaped(text), wrap: true }],
          msteams: { width: 'Full' },
        },
      },
    ],
  };
};

/** Cards read Markdown; a text from elsewhere must not become a link. */
const escaped = (text: string): string => text.replace(/[\\[\]*_`]/g, '\\$&').replaceAll('\n', '\n\n');
