import { loadEnv } from 'vite';
import { readSiteConfig, SITE_VARIABLES, type SiteConfig, siteFileOf } from '#site.config.ts';

/** Prefixes of the variables that a build reads. With all of VITE_ it finds those that it reads no more. */
const BAKED_IN = ['VITE_', ...SITE_VARIABLES];

const environment = (mode: string) => ({
  ...loadEnv(mode, process.cwd(), BAKED_IN),
  ...process.env,
});

/**
 * Reads the site's settings for a build from the site's file, site.config.ts, the .env files and the environment. Of the
 * variables the later source wins.
 *
 * @throws one Error that lists every fault
 */
export const loadSite = (mode: string): SiteConfig => readSiteConfig(environment(mode));

/** The path of the site's file, site.json if no variable names another. */
export const loadSiteFile = (mode: string): string => siteFileOf(environment(mode));

/** Folder of the built site. */
export const buildDir = (): string => process.env.DIST_DIR ?? 'dist';
