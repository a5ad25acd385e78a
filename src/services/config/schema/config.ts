import { z } from 'zod';
import { policySection, tokenEntries } from './access.ts';
import { connectionTables } from './connections.ts';
import { dashboardSection, httpSection, limitsSection, mcpSection, metricsSection, serverSection, tcpSection } from './doors.ts';
import { scheduleEntries, watcherEntries } from './events.ts';
import { defaultsSection, logSection, pluginsSection, secretsSection, storeSection } from './house.ts';
import { networkSection } from './network.ts';
import { notifySection } from './notify.ts';

const reserved = z.strictObject({}).exactOptional().meta({ description: 'Reserved for work over several machines; it has no keys yet.' });

/** Everything that `factotum.toml` may say: the only place where a key, its default or its meaning is written. */
export const configSchema = z.strictObject({
  log: logSection,
  server: serverSection,
  http: httpSection,
  tcp: tcpSection,
  metrics: metricsSection,
  dashboard: dashboardSection,
  mcp: mcpSection,
  store: storeSection,
  engine: reserved,
  worker: reserved,
  limits: limitsSection,
  defaults: defaultsSection,
  network: networkSection,
  secrets: secretsSection,
  policy: policySection,
  plugins: pluginsSection,
  tokens: tokenEntries,
  notify: notifySection,
  schedules: scheduleEntries,
  watchers: watcherEntries,
  connections: connectionTables,
});

type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;

/** What the schema says of a whole configuration; `Config` says the same in plain types. */
export type ConfigOfSchema = Immutable<z.output<typeof configSchema>>;
