import type { Json } from '../errors.ts';

/** How important a message is. */
export type NotificationLevel = 'info' | 'warning' | 'error';

/** Something that somebody should know. */
export interface Notification {
  readonly subject: string;
  readonly body?: string;
  readonly level?: NotificationLevel;
  /** Facts beside the text, such as the id of a run; never compared to find duplicates. */
  readonly context?: { readonly [key: string]: Json };
  /** What it tells the beginning, the course or the end of. */
  readonly incident?: Incident;
}

/**
 * Something that lasts. That it has begun or is over is told however soon it comes after the last message like it; and a sink that keeps
 * incidents open closes the right one.
 */
export type Incident = {
  readonly key: string;
  readonly phase: 'begun' | 'ongoing' | 'over';
};

/** What every sink has. */
interface AnySink {
  readonly name: string;
  /** Seconds for one message to be taken. */
  readonly timeout: number;
  /** The least important messages it gets. */
  readonly min_level: NotificationLevel;
  /** Whether it is told when what failed works again. */
  readonly recovery: boolean;
  /** Seconds for which messages are gathered into one; 0 sends each at once. */
  readonly digest_s: number;
  /** `22:00-07:00`: only errors are sent at once then. */
  readonly quiet_hours?: string;
  readonly time_zone?: string;
}

interface SinkWithAddress {
  readonly allow_private_hosts: boolean;
  /** A file with the certificates of the authority that the server's certificate comes from. */
  readonly ca_file?: string;
}

/** Takes messages as JSON. */
export interface WebhookSink extends AnySink, SinkWithAddress {
  readonly type: 'webhook';
  readonly url: string;
  readonly extra_headers: Readonly<Record<string, string>>;
  readonly hmac_secret?: string;
}

/** A chat that takes messages at an address of its own. */
export interface ChatSink extends AnySink, SinkWithAddress {
  readonly type: 'slack' | 'discord' | 'teams';
  readonly webhook_url: string;
}

/** Takes messages as mail. */
export interface EmailSink extends AnySink, SinkWithAddress {
  readonly type: 'email';
  readonly host: string;
  readonly port: number;
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly username?: string;
  readonly password?: string;
  readonly use_tls: boolean;
  readonly implicit_tls: boolean;
}

/** A chat of Telegram. */
export interface TelegramSink extends AnySink {
  readonly type: 'telegram';
  readonly bot_token: string;
  readonly chat_id: string;
}

/** A service of PagerDuty. */
export interface PagerdutySink extends AnySink {
  readonly type: 'pagerduty';
  readonly routing_key: string;
  readonly source: string;
  /** Where the account lives. */
  readonly region: 'us' | 'eu';
}

/** A sink as the configuration writes it: one table of `[[notify.sinks]]`. */
export type SinkTable = WebhookSink | ChatSink | EmailSink | TelegramSink | PagerdutySink;

/** What may be known of a sink. */
export interface SinkDescription {
  readonly name: string;
  readonly type: SinkTable['type'];
  readonly [key: string]: Json;
}

/**
 * What became of a message at each sink, by name: `sent`; `dedup`, the same one was sent lately; `held` for its digest or the end of
 * its quiet hours; `skipped`, it takes only more important ones; or the text of an error.
 */
export type SinkAnswers = Readonly<Record<string, string>>;

/** Tells people what needs their attention. */
export interface Notifications {
  /** Sends to every sink, or to those that are named; a sink that fails is tried again later and disturbs no other. */
  send(message: Notification, sinks?: readonly string[]): Promise<SinkAnswers>;
  list(): Promise<readonly SinkDescription[]>;
  /** Adds a sink until the process ends, or replaces one that was added so. Private networks stay closed: only the configuration opens them. */
  register(sink: unknown): Promise<SinkDescription>;
  /** Removes a sink; false where there is none of that name. */
  unregister(name: string): Promise<boolean>;
  /** Removes all sinks and forgets what was sent lately; answers how many there were. */
  unregisterAll(): Promise<number>;
  /** Tells every sink that something failed; does nothing without a sink, and never throws. */
  notifyOnFailure(context: string, error: unknown): Promise<void>;
}
