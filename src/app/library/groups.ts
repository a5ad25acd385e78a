import { registerGroup } from './library.ts';

// One helper for each group of built-in actions: it makes them known in any registry.
export const registerFilesOps = registerGroup('files');
export const registerFlowOps = registerGroup('flow');
export const registerReliabilityOps = registerGroup('reliability');
export const registerShellOps = registerGroup('shell');
export const registerStateOps = registerGroup('state');
export const registerSyncOps = registerGroup('sync');
export const registerArchiveOps = registerGroup('archive');
export const registerCryptoOps = registerGroup('crypto');
export const registerDataOps = registerGroup('data');
export const registerSearchOps = registerGroup('search');
export const registerTextOps = registerGroup('text');
export const registerSystemOps = registerGroup('system');
export const registerNotifyOps = registerGroup('notify');
export const registerRemoteOps = registerGroup('remote');
export const registerAzureBlobOps = registerGroup('remote-azure');
export const registerFtpOps = registerGroup('remote-ftp');
export const registerS3Ops = registerGroup('remote-s3');
export const registerSftpOps = registerGroup('remote-sftp');
export const registerSmbOps = registerGroup('remote-smb');
export const registerWebdavOps = registerGroup('remote-webdav');
