import { COPIED_NAMES } from '#contract/click-fields.schema.ts';
import { CAMPAIGN_PARAMETERS } from '#contract/visit.ts';
import { IDENTIFYING_COLUMNS } from './identifying-columns.ts';

/** The columns of `clicks` that are about a visitor, and that `site forget` empties. */
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
