import { loadEnv } from 'vite';
import { readSiteConfig, type SiteConfig } from '#site.config.ts';

/**
 * The site's facts for a build: site.config.ts, the .env files, and the environment, the last one winning.
 *
 * @throws one Error that lists every variable at fault
 */
export function loadSite(mode: string): SiteConfig {
  return readSiteConfig({ ...loadEnv(mode, process.cwd(), 'VITE_'), ...process.env });
}

/** Where the built site goes and is served from. */
export const buildDir = (): string => process.env.DIST_DIR ?? 'dist';
