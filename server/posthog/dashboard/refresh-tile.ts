/** Writes the present figures into the completeness tile. */
import { asOf, type CompletenessFigures, completenessText } from '#dashboards/completeness.ts';
import { dashboardWithTilesSchema } from '../management/answers.schema.ts';
import { tilesBodySchema } from '../management/bodies.schema.ts';
import type { Management } from '../management/management-api.ts';
import { findTextTile } from './find-text-tile.ts';

/** Several servers share one tile: a text younger than this is another server's. */
const STILL_FRESH_MS = 50 * 60 * 1000;

interface Options {
  /** Counts the clicks; null: it cannot now. Called only if the tile is due. */
  figures: () => Promise<CompletenessFigures | null>;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** `missing`: there is no tile, because nobody has run `npm run posthog:provision`. @throws ManagementError */
export async function refreshTile(
  api: Management,
  { figures, now }: Options,
): Promise<'written' | 'fresh' | 'missing' | 'no figures'> {
  const tile = await findTextTile(api);
  if (!tile) return 'missing';
  const written = asOf(tile.body);
  if (written !== null && now() - written < STILL_FRESH_MS) return 'fresh';
  const counted = await figures();
  if (!counted) return 'no figures';
  const text = { body: completenessText(counted, now()) };
  const body = tilesBodySchema.parse({ tiles: [{ id: tile.id, text }] });
  await api.change(`dashboards/${tile.dashboardId}/`, body, dashboardWithTilesSchema);
  return 'written';
}
