import { shownUrl } from '../../lib/net/refusal.ts';
import type { Config } from '../config/load-config.ts';
import { hostOf } from './host-of.ts';

/** Where a connection leads, as it may be shown: references stay as written, and secrets are left out. */
export const whereOf = (table: Config['connections'][string]): string => {
  switch (table.type) {
    case 's3':
      return table.endpoint_url === undefined ? 'Amazon' : shownUrl(table.endpoint_url);
    case 'azure':
      return table.account_url === undefined ? hostOf('azure', { ...table }) : shownUrl(table.account_url);
    case 'sftp':
    case 'ftp':
      return `${table.username}@${table.host}:${table.port}`;
    case 'webdav':
      return shownUrl(table.base_url);
    case 'smb':
      return `//${table.server}:${table.port}/${table.share}`;
    default:
      return `${table.type}, which no backend of this version reaches`;
  }
};
