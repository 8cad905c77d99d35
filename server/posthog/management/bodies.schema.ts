/** The bodies that we send, as strict schemas: PostHog ignores some misspelt keys in silence. */
import { z } from 'zod';
import { insightQuerySchema } from '#dashboards/query.schema.ts';

const tags = z.array(z.string().min(1));
const id = z.int().positive();

export const dashboardBodySchema = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  tags,
});

export const insightBodySchema = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  tags,
  query: insightQuerySchema,
  /** Deprecated, but still the only way to put an insight on a dashboard. */
  dashboards: z.array(id),
});

const layoutsSchema = z.strictObject({
  sm: z.strictObject({
    x: z.int().min(0).max(11),
    y: z.int().min(0),
    w: z.int().min(1).max(12),
    h: z.int().min(1),
  }),
});

export const tilesBodySchema = z.strictObject({
  tiles: z.array(z.strictObject({ id, layouts: layoutsSchema })).min(1),
});

export const annotationBodySchema = z.strictObject({
  content: z.string().min(1),
  date_marker: z.iso.datetime(),
  scope: z.literal('project'),
  creation_type: z.literal('GIT'),
});

/** The only way to remove something: PostHog has no DELETE for it. */
export const removeDashboardSchema = z.strictObject({
  deleted: z.literal(true),
  /** False: the insights stay. */
  delete_insights: z.literal(false),
});
export const removeSchema = z.strictObject({ deleted: z.literal(true) });

/** Changes: some of the fields. An annotation keeps its date. */
export const dashboardChangeSchema = dashboardBodySchema.partial();
export const insightChangeSchema = insightBodySchema.partial();
export const annotationChangeSchema = annotationBodySchema.pick({ content: true });
