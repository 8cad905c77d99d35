import { loadEnv } from 'vite';
import { PRIVACY_VARIABLES } from '#contract/privacy.schema.ts';
import { readSiteConfig, type SiteConfig } from '#site.config.ts';

/** Prefixes of the variables that a build reads. */
const BAKED_IN = ['VITE_', ...Object.keys(PRIVACY_VARIABLES)];

/**
 * Reads the site's facts for a build from site.config.ts, the .env files and the environment. The later source wins.
 *
 * @throws one Error that lists every variable at fault
 */
export function loadSite(mode: string): SiteConfig {
  return readSiteConfig({ ...loadEnv(mode, process.cwd(), BAKED_IN), ...process.env });
}

/** Folder of the built site. */
export const buildDir = (): string => process.env.DIST_DIR ?? 'dist';
