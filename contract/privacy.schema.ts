/** Settings for the visitor data that the server records. The pages state them. */
import { z } from 'zod';

/** How much of a visitor's address the server logs: all, the network (/24, /48), or nothing. */
export const logIpSchema = z.enum(['full', 'truncated', 'none'], {
  error: 'must be "full", "truncated" or "none"',
});
export type LogIp = z.output<typeof logIpSchema>;

/** How much is kept of the site before this page: its kind (search, social, …), its host name, or nothing. */
export const referrerDetailSchema = z.enum(['class', 'domain', 'none'], {
  error: 'must be "class", "domain" or "none"',
});
