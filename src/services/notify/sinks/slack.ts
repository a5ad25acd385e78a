import type { Json } from '../../../core/errors.ts';
import { cut, type Message } from '../message.ts';
import { linesOf, titleOf } from './text.ts';

/** Blocks for the chat, and the same as text for where blocks are not shown. */
export const slackBody = (message: Message): Json => {
  const text = linesOf(message);
  const header = { type: 'header', text: { type: 'plain_text', text: cut(titleOf(message), 150), emoji: true } };
  const section = { type: 'section', text: { type: 'mrkdwn', text: cut(escaped(text), 3000) } };
  return {
    text: cut(escaped(`${titleOf(message)}${text === '' ? '' : `\n${text}`}`), 4000),
    blocks: text === '' ? [header] : [header, section],
  };
};

/** These three begin links and mentions such as `<!channel>`. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
