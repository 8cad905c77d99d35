/** Makes page views as pages send them to POST /k/visit, for tests without a browser. */
import { randomUUID, randomUUIDv7 } from 'node:crypto';

/** Makes a page view with new ids. @param parts fields to replace; undefined removes a field */
export const pageView = (parts: object = {}) => ({
  id: randomUUID(),
  visit_id: randomUUIDv7(),
  timestamp: new Date().toISOString(),
  page_url: 'https://site.example/help/',
  referrer: 'clinic-7',
  is_first: true,
  ...parts,
});
