/** The parts of PostHog's answers that we read. Other fields are ignored. */
import { z } from 'zod';

const tags = z.array(z.string()).nullish();
const text = z.string().nullish();

export const dashboardSchema = z.object({ id: z.int(), name: text, description: text, tags });

const tileSchema = z.object({
  id: z.int(),
  deleted: z.boolean().nullish(),
  insight: z.object({ id: z.int() }).nullish(),
});
export type Tile = z.infer<typeof tileSchema>;

/** Only a single dashboard has tiles; a list of dashboards has none. */
export const dashboardWithTilesSchema = dashboardSchema.extend({
  tiles: z.array(tileSchema).nullish(),
});

export const insightSchema = z.object({
  id: z.int(),
  name: text,
  description: text,
  tags,
  query: z.unknown().optional(),
  dashboard_tiles: z
    .array(z.object({ dashboard_id: z.int(), deleted: z.boolean().nullish() }))
    .nullish(),
});

export const annotationSchema = z.object({ id: z.int(), content: text });
