/** Rows of the table `clicks`, for tests that do not send each click. */
import { randomBytes } from 'node:crypto';
import { isCtaEvent } from '#contract/cta.ts';
import type { Click } from '../../../server/clicks/click.ts';

/**
 * @param receivedAt milliseconds since 1970
 * @param parts replace columns. `skewMs`: the browser's clock minus the server's
 */
export function clickRow(
  receivedAt: number,
  { skewMs = 0, ...parts }: Partial<Click> & { skewMs?: number } = {},
): Click {
  const clickedAt = receivedAt + skewMs;
  const event = parts.event ?? 'hero_cta_click';
  return {
    ...{ id: idAt(clickedAt), event, received_at: receivedAt, clicked_at: clickedAt },
    ...{ sent_at: clickedAt, visit_id: null, seq: null, dropped: null, referrer: null },
    ...{
      utm_source: null,
      utm_medium: null,
      utm_campaign: null,
      utm_content: null,
      utm_term: null,
    },
    ...{ referring_domain: null, page_url: 'https://site.example/', user_agent: 'test' },
    ...{ is_mobile: true, screen_class: null, ip: null, remote_ip: null, via: 'fetch' },
    ...{ is_bot: false, is_private: false, is_known: isCtaEvent(event), req_id: 'test' },
    ...parts,
  };
}

/** @returns a new UUID v7 of that time */
export function idAt(ms: number): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  const random = randomBytes(10).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}
