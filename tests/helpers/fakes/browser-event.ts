/** An event as a visitor's browser sends it to the proxy, for tests without a browser. */
import { randomUUIDv7 } from 'node:crypto';

const VISIT = '019e5b2c-8a4e-7c31-9d52-3f6a1b0c7e84';
export const PAGE_URL = 'https://www.site.example/';

/** A click of the visit. Each call makes another id, unless it is given. */
export function browserEvent(uuid: string = randomUUIDv7(), properties: object = {}) {
  return {
    uuid,
    event: 'cta_click',
    timestamp: '2026-11-22T10:00:00.000Z',
    properties: {
      token: 'phc_test',
      referrer: 'clinic-7',
      visit_id: VISIT,
      $current_url: PAGE_URL,
      category: 'CTA',
      label: 'hero_button',
      value: 1,
      event_id: uuid,
      ...properties,
    },
  };
}
