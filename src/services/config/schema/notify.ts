import { z } from 'zod';
import { flag, name, namesAreUnique, oneOf, path, plain, seconds, secret, text, timeZone, wait } from './keys.ts';

const timeOfDay = '(?:[01]\\d|2[0-3]):[0-5]\\d';

/** What every sink has. */
const every = {
  name: name('What the sink is called in logs and metrics.'),
  timeout: wait('Seconds for one message to be taken.').default(10),
  min_level: oneOf(['info', 'warning', 'error'], 'The least important messages it gets.').default('info'),
  recovery: flag('Whether it is told when what failed works again.').default(true),
  digest_s: seconds('Seconds for which messages are gathered into one; 0 sends each at once.').default(0),
  quiet_hours: z
    .string()
    .regex(new RegExp(`^${timeOfDay}-${timeOfDay}$`), 'Write it as 22:00-07:00.')
    .meta({ description: 'Hours in which only errors are sent at once, such as `22:00-07:00`; the rest follows afterwards.' })
    .exactOptional(),
  time_zone: timeZone('The time zone of `quiet_hours`, such as `Europe/Vienna`; left out, that of this machine.').exactOptional(),
};

/** What every sink has whose address is the user's own. */
const address = {
  allow_private_hosts: flag('Whether the address may lie in a private network.').default(false),
  ca_file: path(
    "The certificates of the authority that signed the server's, as PEM; left out, those that the system trusts.",
  ).exactOptional(),
};

const chat = <const T extends string>(type: T, whose: string) =>
  z.strictObject({
    type: z.literal(type).meta({ description: 'The kind of sink.' }),
    ...every,
    webhook_url: secret(`The address that ${whose} gave for incoming messages.`),
    ...address,
  });

const webhook = z.strictObject({
  type: z.literal('webhook').meta({ description: 'The kind of sink.' }),
  ...every,
  url: secret('Where messages are posted as JSON.'),
  extra_headers: z.record(plain('The name of a header.'), secret('Its value.')).default({}).meta({ description: 'Headers to send along.' }),
  hmac_secret: secret('Signs each message, so that the receiver can tell who sent it.').exactOptional(),
  ...address,
});

const email = z
  .strictObject({
    type: z.literal('email').meta({ description: 'The kind of sink.' }),
    ...every,
    host: text('The mail server.'),
    port: z.int().min(1).max(65_535).default(587).meta({ description: 'Its port.' }),
    sender: text('The address that messages come from.'),
    recipients: z.array(text('An address.')).min(1).meta({ description: 'The addresses that messages go to.' }),
    username: text('The name to log in with.').exactOptional(),
    password: secret('The password to log in with.').exactOptional(),
    use_tls: flag('Whether the connection is encrypted.').default(true),
    implicit_tls: flag('Whether it is encrypted from the first byte (usual on port 465) instead of by STARTTLS.').default(false),
    ...address,
  })
  .superRefine(({ username, password, use_tls, implicit_tls }, report) => {
    if (password !== undefined && username === undefined)
      report.addIssue({ code: 'custom', path: ['password'], message: 'A password takes a username too.' });
    if (implicit_tls && !use_tls) report.addIssue({ code: 'custom', path: ['implicit_tls'], message: '`implicit_tls` takes `use_tls`.' });
  });

const telegram = z.strictObject({
  type: z.literal('telegram').meta({ description: 'The kind of sink.' }),
  ...every,
  bot_token: secret('The token of the bot.'),
  chat_id: text('The chat that gets the messages.'),
});

const pagerduty = z.strictObject({
  type: z.literal('pagerduty').meta({ description: 'The kind of sink.' }),
  ...every,
  routing_key: secret('The integration key of the service (Events API v2).'),
  source: text('What the incidents are said to come from.').default('factotum'),
  region: oneOf(['us', 'eu'], 'Where the account lives.').default('us'),
});

/** One table of `[[notify.sinks]]`. */
export const sink = z.discriminatedUnion('type', [
  webhook,
  chat('slack', 'Slack'),
  chat('discord', 'Discord'),
  chat('teams', 'Microsoft Teams'),
  email,
  telegram,
  pagerduty,
]);

/** `[notify]`. */
export const notifySection = z
  .strictObject({
    sinks: z.array(sink).superRefine(namesAreUnique).default([]).meta({ description: 'Where notifications go.' }),
  })
  .prefault({})
  .meta({ description: 'Who is told when something needs attention.' });
