/** A page view as a page sends it to POST /k/visit, for tests without a browser. */
import { randomUUID, randomUUIDv7 } from 'node:crypto';

/** Each call makes other ids. @param parts replace fields; undefined removes one */
export const pageView = (parts: object = {}) => ({
  id: randomUUID(),
  visit_id: randomUUIDv7(),
  timestamp: new Date().toISOString(),
  page_url: 'https://site.example/help/',
  referrer: 'clinic-7',
  is_first: true,
  ...parts,
});
