import { statfs } from 'node:fs/promises';

/** File systems whose changes may come from another machine, by their magic numbers in Linux. */
const NETWORK_TYPES: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xfe534d42, // SMB 2
  0xff534d42, // CIFS
  0x01021997, // 9P
  0x65735546, // FUSE
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x73757245, // Coda
  0x786f4256, // shared folder of VirtualBox
]);

/** Whether the system cannot hint at all changes of a path, because other machines make some of them. */
export const isNetworkMount = async (path: string): Promise<boolean> => {
  if (process.platform !== 'linux') return false;
  try {
    const { type } = await statfs(path);
    return NETWORK_TYPES.has(type >>> 0);
  } catch {
    return false; // what is not there is looked at again when it comes
  }
};
