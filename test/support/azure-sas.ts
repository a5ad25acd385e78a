import { createHmac } from 'node:crypto';

/** The account that every emulator has. */
export const DEVELOPMENT_ACCOUNT = {
  name: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
} as const;

/** A shared access signature for everything of the blobs of the development account, for an hour. */
export const accountSas = (permissions = 'rwdlacup'): string => {
  const given = {
    sp: permissions,
    ss: 'b',
    srt: 'sco',
    st: '',
    se: `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`,
    sip: '',
    spr: 'https,http',
    sv: '2021-12-02',
    ses: '',
  };
  const text = `${[DEVELOPMENT_ACCOUNT.name, ...Object.values(given)].join('\n')}\n`;
  const sig = createHmac('sha256', Buffer.from(DEVELOPMENT_ACCOUNT.key, 'base64')).update(text).digest('base64');
  return new URLSearchParams([...Object.entries(given).filter(([, value]) => value !== ''), ['sig', sig]]).toString();
};
