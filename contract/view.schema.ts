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
   * Only the view's row has it. A page that sends its view again sends the same id. Without https a
   * browser makes none, so that the server does, and counts a repetition again.
   */
  id: z.uuidv4({ error: 'must be a UUID of version 4' }).toLowerCase().optional(),
  /** The page load. Its clicks have it, so only PostHog gets it: the row must lead to no click. */
  visit_id: CONVERTED_FIELDS.visit_id.unwrap(),
  /** When the visitor first saw the page, by the browser's clock. Only PostHog gets it. */
  timestamp: SPECIFIED_FIELDS.timestamp,
  /** The page, without its query. */
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
   * Whether the view ended within a second, without an input. The page knows it when it goes away,
   * and sends its view again.
   */
  is_brief: leftOutIfInvalid(z.boolean()),
});

/** One view, as a page sends it. */
export type ViewBody = z.output<typeof viewSchema>;
