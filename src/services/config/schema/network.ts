import { z } from 'zod';
import { isHostPattern } from '../../../lib/net/judge-url.ts';
import { several } from './keys.ts';

const hostPattern = z
  .string()
  .refine(isHostPattern, 'Write a host, a host with its port, or *.lan for every name below; no scheme and no path.')
  .meta({ description: 'Machines of private networks that downloads may reach: `host`, `host:port`, or `*.lan` for every name below.' });

/** `[network]`. */
export const networkSection = z
  .strictObject({ private_hosts: several(hostPattern).default([]) })
  .prefault({})
  .meta({ description: 'Which machines of private networks may be reached; all public ones may.' });
