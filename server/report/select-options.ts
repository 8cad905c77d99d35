/** The options of `clicks lines`: they choose the lines of one figure of the report. */
import { z } from 'zod';
import { DEVICES, SCREENS, VIAS } from './engine/record.ts';
import type { Filter } from './engine/select.ts';

const day = z.iso.date({ error: 'must be a day, such as 2026-01-31' });
const week = z.string().regex(/^\d{4}-W\d\d$/, 'must be an ISO week, such as 2026-W05');
const hour = z
  .string()
  .regex(/^\d{1,2}$/, 'must be an hour from 0 to 23')
  .transform(Number)
  .pipe(z.int().max(23, 'must be an hour from 0 to 23'));
const oneOf = (values: readonly string[]) =>
  z.enum(values as [string, ...string[]], {
    error: `must be one of ${values.filter(Boolean).join(', ')}, or '' for unknown`,
  });
const texts = z.array(z.string()).optional();

const schema = z.object({
  day: day.optional(),
  week: week.optional(),
  hour: hour.optional(),
  event: texts,
  ref: texts,
  campaign: texts,
  domain: texts,
  'not-event': texts,
  'not-ref': texts,
  'not-campaign': texts,
  'not-domain': texts,
  device: oneOf(DEVICES).optional(),
  screen: oneOf(SCREENS).optional(),
  via: oneOf(VIAS).optional(),
  private: z.boolean().optional(),
  robots: z
    .enum(['without', 'only', 'all'], { error: 'must be without, only or all' })
    .default('without'),
  relisted: z.boolean().optional(),
  duplicates: z.boolean().default(false),
});

/** For `parseArgs` of node:util. */
export const SELECT_OPTIONS = {
  day: { type: 'string' },
  week: { type: 'string' },
  hour: { type: 'string' },
  event: { type: 'string', multiple: true },
  ref: { type: 'string', multiple: true },
  campaign: { type: 'string', multiple: true },
  domain: { type: 'string', multiple: true },
  'not-event': { type: 'string', multiple: true },
  'not-ref': { type: 'string', multiple: true },
  'not-campaign': { type: 'string', multiple: true },
  'not-domain': { type: 'string', multiple: true },
  device: { type: 'string' },
  screen: { type: 'string' },
  via: { type: 'string' },
  private: { type: 'boolean' },
  robots: { type: 'string' },
  relisted: { type: 'boolean' },
  duplicates: { type: 'boolean' },
} as const;

export type SelectValues = z.input<typeof schema> | Record<string, unknown>;

/** @throws an Error that names each wrong option */
export function readSelection(
  values: SelectValues,
  { since, until }: { since: number; until: number },
): Filter {
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `--${path.join('.')} ${message}`);
    throw new Error(faults.join('\n'));
  }
  const v = parsed.data;
  return {
    from: since,
    to: until,
    day: v.day,
    week: v.week,
    hour: v.hour,
    texts: {
      event: { is: v.event, not: v['not-event'] },
      ref: { is: v.ref, not: v['not-ref'] },
      campaign: { is: v.campaign, not: v['not-campaign'] },
      domain: { is: v.domain, not: v['not-domain'] },
    },
    device: v.device,
    screen: v.screen,
    via: v.via,
    private: v.private,
    robots: v.robots,
    relisted: v.relisted,
    duplicates: v.duplicates,
  };
}
