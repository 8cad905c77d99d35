/** One page view: the body of POST /k/visit. Names are public: add, never rename. */
import { z } from 'zod';
import {
  CONVERTED_FIELDS,
  COPIED_FIELDS,
  leftOutIfInvalid,
  SPECIFIED_FIELDS,
} from './click-fields.schema.ts';

export const viewSchema = z.object({
  /**
   * Id of the view's row, and of nothing else. If a page sends its view again, it sends the same
   * id. Without https a browser cannot make one. Then the server does, and a repetition counts
   * twice.
   */
  id: z.uuidv4({ error: 'must be a UUID of version 4' }).toLowerCase().optional(),
  /**
   * Id of the page load. The page's clicks have it too, so only PostHog gets it: the row of a view
   * must not lead to a click.
   */
  visit_id: CONVERTED_FIELDS.visit_id.unwrap(),
  /** When the visitor first saw the page, by the browser's clock. Only PostHog gets it. */
  timestamp: SPECIFIED_FIELDS.timestamp,
  /** The page's address without its query. */
  page_url: SPECIFIED_FIELDS.page_url,
  /** The landing URL's `ref`. */
  referrer: SPECIFIED_FIELDS.referrer,
  /** Whether the visit begins with this view: no page of this site led to it. */
  is_first: z.boolean({ error: 'must be true or false' }),
  campaign: CONVERTED_FIELDS.campaign,
  referring_domain: CONVERTED_FIELDS.referring_domain,
  is_internal: CONVERTED_FIELDS.is_internal,
  is_automated: CONVERTED_FIELDS.is_automated,
  screen_class: COPIED_FIELDS.screen_class,
  /**
   * Whether the view ended within a second, without an input. The page knows that only when it is
   * closed, and then sends its view again.
   */
  is_brief: leftOutIfInvalid(z.boolean()),
});

/** A page view as a page sends it, after validation. */
export type ViewBody = z.output<typeof viewSchema>;
