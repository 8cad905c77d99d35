/** Places new tiles on the dashboard. */
import type { Dashboard } from '#dashboards/dashboard.ts';
import { dashboardWithTilesSchema } from '../../server/posthog/management/answers.schema.ts';
import { tilesBodySchema } from '../../server/posthog/management/bodies.schema.ts';
import type { Management } from '../../server/posthog/management/management-api.ts';
import { layoutOf } from './bodies.ts';
import { pathOf, readTiles } from './read-project.ts';

/** @param insights those that were put on the dashboard just now. Other tiles stay where the team has moved them. */
export async function placeTiles(
  api: Management,
  { insights: files }: Dashboard,
  dashboardId: number,
  insights: { id: number; key: string }[],
): Promise<void> {
  if (insights.length === 0) return;
  const tiles = (await readTiles(api, dashboardId)).flatMap((tile) => {
    const insight = insights.find(({ id }) => id === tile.insight?.id);
    const file = files.find(({ key }) => key === insight?.key);
    return file ? [{ id: tile.id, layouts: layoutOf(file.place) }] : [];
  });
  if (tiles.length === 0) return;
  const body = tilesBodySchema.parse({ tiles });
  await api.change(pathOf('dashboard', dashboardId), body, dashboardWithTilesSchema);
}
