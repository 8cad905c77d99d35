import { COPIED_NAMES } from '#contract/click-fields.schema.ts';
import { CAMPAIGN_PARAMETERS } from '#contract/visit.ts';
import { IDENTIFYING_COLUMNS } from './identifying-columns.ts';

/** The columns of `clicks` that describe a visitor. `site forget` empties them. */
export const PERSONAL_COLUMNS = [
  'clicked_at',
  'sent_at',
  'referrer',
  'ref_key',
  'referring_class',
  'referring_site',
  'page_url',
  'is_mobile',
  'req_id',
  ...IDENTIFYING_COLUMNS,
  ...CAMPAIGN_PARAMETERS,
  ...COPIED_NAMES,
];
