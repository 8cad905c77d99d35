/** Our objects in the PostHog project, recognised by their tags and comments. Reads only. */
import type { z } from 'zod';
import {
  annotationSchema,
  dashboardSchema,
  dashboardWithTilesSchema,
  insightSchema,
  type Tile,
} from '../../server/posthog/management/answers.schema.ts';
import {
  type Identity,
  identityOf,
  type Kind,
  keyTag,
  readComment,
} from '../../server/posthog/management/identity.ts';
import type { Management } from '../../server/posthog/management/management-api.ts';

export interface Found {
  kind: Kind;
  id: number;
  /** The name that it has at PostHog now. */
  name: string;
  identity: Identity;
  /** All tags, also those of other people. */
  tags: string[];
  /** The fields that our files decide. */
  managed: Record<string, unknown>;
  /** Ids of the dashboards that an insight is on; deleted ones may be among them. */
  dashboards: number[];
}

export interface Project {
  found: Found[];
  /** Tiles of our dashboard; null: there is no such dashboard. */
  tiles: Tile[] | null;
  /** Ids of all dashboards, also those of other people. */
  dashboards: number[];
}

/** Path of each kind's list. `basic` leaves out the results of insights. */
const LISTS = {
  dashboard: 'dashboards/',
  insight: 'insights/?basic=true',
  annotation: 'annotations/',
};

/** Path of one object, or of the list that makes one. */
export const pathOf = (kind: Kind, id?: number): string =>
  id === undefined ? `${kind}s/` : `${kind}s/${id}/`;

/** PostHog's answers as found objects; null: not ours. */
export const foundSchemas: Record<Kind, z.ZodType<Found | null>> = {
  dashboard: dashboardSchema.transform(({ id, name, description, tags }) =>
    found('dashboard', id, name, tags, { description }),
  ),
  insight: insightSchema.transform(({ id, name, description, query, tags, dashboard_tiles }) => {
    const tiles = dashboard_tiles?.filter((tile) => !tile.deleted) ?? [];
    const dashboards = tiles.map((tile) => tile.dashboard_id);
    return found('insight', id, name, tags, { description, query }, dashboards);
  }),
  annotation: annotationSchema.transform(({ id, content }) => {
    const ours = readComment(content ?? '');
    if (!ours) return null;
    const { text, identity } = ours;
    const managed = { content: text };
    return { kind: 'annotation', id, name: text, identity, tags: [], managed, dashboards: [] };
  }),
};

function found(
  kind: Kind,
  id: number,
  name: string | null | undefined,
  tags: string[] | null | undefined,
  managed: Record<string, unknown>,
  dashboards: number[] = [],
): Found | null {
  const identity = identityOf(kind, tags ?? []);
  if (!identity) return null;
  return { kind, id, name: name ?? '', identity, tags: tags ?? [], managed, dashboards };
}

/** @throws an Error that names two objects with the same key */
export async function readProject(api: Management, dashboardKey: string): Promise<Project> {
  const dashboards = await api.list(LISTS.dashboard, dashboardSchema);
  const found = [
    ...dashboards.flatMap((it) => foundSchemas.dashboard.parse(it) ?? []),
    ...(await listFound(api, 'insight')),
    ...(await listFound(api, 'annotation')),
  ];
  refuseDoubles(found);
  const ours = found.find((it) => it.kind === 'dashboard' && it.identity.key === dashboardKey);
  const tiles = ours ? await readTiles(api, ours.id) : null;
  return { found, tiles, dashboards: dashboards.map(({ id }) => id) };
}

export async function listFound(api: Management, kind: Kind): Promise<Found[]> {
  const all = await api.list(LISTS[kind], foundSchemas[kind]);
  return all.filter((it) => it !== null);
}

/** The list of dashboards has no tiles, so one dashboard is read. */
export async function readTiles(api: Management, dashboardId: number): Promise<Tile[]> {
  const { tiles } = await api.get(pathOf('dashboard', dashboardId), dashboardWithTilesSchema);
  return (tiles ?? []).filter((tile) => !tile.deleted);
}

function refuseDoubles(found: Found[]): void {
  for (const { kind, identity } of found) {
    const same = found.filter((it) => it.kind === kind && it.identity.key === identity.key);
    if (same.length < 2) continue;
    const names = same.map(({ id, name }) => `"${name}" (${id})`).join(' and ');
    throw new Error(
      `PostHog has ${same.length} objects with the tag ${keyTag(kind, identity.key)}: ${names}. Delete all but one at PostHog, or remove the tag.`,
    );
  }
}
