/** Writes the present figures into the completeness tile. */
import {
  asOf,
  type CompletenessFigures,
  completenessText,
  withParagraph,
} from '#dashboards/completeness.ts';
import { dashboardWithTilesSchema } from '../management/answers.schema.ts';
import { tilesBodySchema } from '../management/bodies.schema.ts';
import type { Management } from '../management/management-api.ts';
import { findTextTile } from './find-text-tile.ts';

/** A restarted server does not write the tile again within this time. */
const STILL_FRESH_MS = 50 * 60 * 1000;

export interface TileParts {
  /** Counts the clicks. Called only if the tile is due. */
  figures: () => Promise<CompletenessFigures>;
  /** Name of this server among several, each of which has its own paragraph; null: there is one. */
  server: string | null;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** `missing`: there is no tile, because the operator has not run `npm run posthog:provision`. @throws ManagementError */
export async function refreshTile(
  api: Management,
  { figures, server, now }: TileParts,
): Promise<'written' | 'fresh' | 'missing'> {
  const tile = await findTextTile(api);
  if (!tile) return 'missing';
  const written = asOf(tile.body, server);
  if (written !== null && now() - written < STILL_FRESH_MS) return 'fresh';
  const paragraph = completenessText(await figures(), now(), server);
  const text = { body: withParagraph(tile.body, paragraph, server) };
  const body = tilesBodySchema.parse({ tiles: [{ id: tile.id, text }] });
  await api.change(`dashboards/${tile.dashboardId}/`, body, dashboardWithTilesSchema);
  return 'written';
}
