import type { StoredItem } from '../../../core/storage.ts';
import type { Attrs } from './session.ts';

/** SFTP tells no more of a content than its length and the second of its last change. */
export const versionOf = ({ bytes, modifiedMs }: Pick<Attrs, 'bytes' | 'modifiedMs'>): string | undefined =>
  modifiedMs === undefined ? undefined : `${bytes}-${modifiedMs / 1000}`;

export const itemOf = (path: string, attrs: Attrs): StoredItem => {
  const { kind, bytes, modifiedMs } = attrs;
  const time = modifiedMs === undefined ? {} : { modifiedMs };
  const version = versionOf(attrs);
  return kind === 'dir'
    ? { path, kind: 'dir', bytes: 0, ...time }
    : { path, kind: 'file', bytes, ...time, ...(version !== undefined && { version }) };
};
