/** The bodies of requests, each checked by its strict schema before it is sent. */
import type { Place } from '#dashboards/dashboard.ts';
import {
  annotationBodySchema,
  annotationChangeSchema,
  dashboardBodySchema,
  dashboardChangeSchema,
  insightBodySchema,
  insightChangeSchema,
  removeDashboardSchema,
  removeSchema,
} from '../../server/posthog/management/bodies.schema.ts';
import {
  type Identity,
  type Kind,
  withComment,
  withOurTags,
} from '../../server/posthog/management/identity.ts';
import type { Found } from './read-project.ts';
import type { Wanted } from './wanted.ts';

/** For POST. @param dashboards ids of the dashboards that an insight goes on */
export function creationBody(wanted: Wanted, identity: Identity, dashboards: number[]): object {
  const body = { ...wanted.initial, ...labelled(wanted.kind, wanted.managed, identity) };
  if (wanted.kind === 'dashboard') return dashboardBodySchema.parse(body);
  if (wanted.kind === 'insight') return insightBodySchema.parse({ ...body, dashboards });
  return annotationBodySchema.parse(body);
}

/** For PATCH. @param managed the fields to change @param dashboards all dashboards of an insight; undefined: as they are */
export function changeBody(
  found: Found,
  managed: Record<string, unknown>,
  identity: Identity,
  dashboards?: number[],
): object {
  const body = labelled(found.kind, managed, identity, found.tags);
  if (found.kind === 'dashboard') return dashboardChangeSchema.parse(body);
  if (found.kind === 'annotation') return annotationChangeSchema.parse(body);
  return insightChangeSchema.parse({ ...body, ...(dashboards && { dashboards }) });
}

/** Adds the identity: tags, or for an annotation the comment. */
function labelled(
  kind: Kind,
  managed: Record<string, unknown>,
  identity: Identity,
  tags: string[] = [],
): Record<string, unknown> {
  if (kind !== 'annotation') return { ...managed, tags: withOurTags(kind, identity, tags) };
  return { content: withComment(String(managed.content), identity) };
}

/** Marks an object as deleted; people can bring it back at PostHog. */
export const removalBody = (kind: Kind): object =>
  kind === 'dashboard'
    ? removeDashboardSchema.parse({ deleted: true, delete_insights: false })
    : removeSchema.parse({ deleted: true });

/** PostHog's name for the layout of wide screens is `sm`. */
export const layoutOf = (place: Place) => ({ sm: { ...place } });
