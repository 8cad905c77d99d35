/** Makes events as browsers send them to POST /k/e/, for tests without a browser. */
import { randomUUIDv7 } from 'node:crypto';

export const VISIT = '019e5b2c-8a4e-7c31-9d52-3f6a1b0c7e84';
export const PAGE_URL = 'https://site.example/';

/** Makes the event of a film that was started. @param uuid a new id by default */
export function browserEvent(uuid: string = randomUUIDv7(), properties: object = {}) {
  return {
    uuid,
    event: 'video_played',
    timestamp: new Date().toISOString(),
    properties: {
      token: 'phc_test',
      referrer: 'clinic-7',
      visit_id: VISIT,
      $current_url: PAGE_URL,
      ...properties,
    },
  };
}
