import { COPIED_NAMES } from '#contract/click-fields.schema.ts';
import { CAMPAIGN_PARAMETERS } from '#contract/visit.ts';

/** The columns of `clicks` that are about a visitor, and that `site forget` empties. */
export const PERSONAL_COLUMNS = [
  'clicked_at',
  'sent_at',
  'visit_id',
  'referrer',
  'referring_domain',
  'page_url',
  'user_agent',
  'is_mobile',
  'ip',
  'remote_ip',
  'req_id',
  ...CAMPAIGN_PARAMETERS,
  ...COPIED_NAMES,
];
