/** Finds the completeness tile on the dashboard that `npm run posthog:provision` has made. */
import { GROWTH } from '#dashboards/growth.ts';
import { dashboardSchema, dashboardWithTilesSchema } from '../management/answers.schema.ts';
import { keyTag } from '../management/identity.ts';
import type { Management } from '../management/management-api.ts';

export interface TextTile {
  dashboardId: number;
  id: number;
  body: string;
}

/** @returns null if there is no such dashboard or tile @throws ManagementError */
export async function findTextTile(api: Management): Promise<TextTile | null> {
  const tag = keyTag('dashboard', GROWTH.key);
  const dashboards = await api.list('dashboards/', dashboardSchema);
  const dashboard = dashboards.find(({ tags }) => tags?.includes(tag));
  if (!dashboard) return null;
  const { tiles } = await api.get(`dashboards/${dashboard.id}/`, dashboardWithTilesSchema);
  for (const { id, text, deleted } of tiles ?? []) {
    const body = text?.body ?? '';
    if (!deleted && body.startsWith(GROWTH.text.start)) {
      return { dashboardId: dashboard.id, id, body };
    }
  }
  return null;
}
