import { loadEnv } from 'vite';
import { PRIVACY_VARIABLES } from '#contract/privacy.schema.ts';
import { readSiteConfig, type SiteConfig } from '#site.config.ts';

/** How the names of variables begin that a build reads. */
const BAKED_IN = ['VITE_', ...Object.keys(PRIVACY_VARIABLES)];

/**
 * The site's facts for a build: site.config.ts, the .env files, and the environment, the last one winning.
 *
 * @throws one Error that lists every variable at fault
 */
export function loadSite(mode: string): SiteConfig {
  return readSiteConfig({ ...loadEnv(mode, process.cwd(), BAKED_IN), ...process.env });
}

/** Where the built site goes and is served from. */
export const buildDir = (): string => process.env.DIST_DIR ?? 'dist';
