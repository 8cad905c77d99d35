/**
 * Writes server/http/public-sites.json from Matomo's list of search engines, social networks and
 * AI assistants (github.com/matomo-org/searchengine-and-social-list, CC0 1.0).
 *
 * Run: node build/write-site-list.ts FOLDER > server/http/public-sites.json
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/**
 * Hosts of each site, separated by spaces, by the site's name: server/http/site-list.ts reads it.
 */
type Sites = Record<string, string>;

/** Hosts of one site in Matomo's list. Those of search engines are in groups. */
type Entry = (string | { urls: string[] })[];

/**
 * Converts one file of Matomo's list.
 *
 * @param yaml text of the file
 * @param isSearch whether it is the list of search engines
 */
export function readSites(yaml: string, isSearch: boolean): Sites {
  const entries = Object.entries(parse(yaml) as Record<string, Entry>);
  const names = entries.map(([name]) => name);
  const sites: Record<string, string[]> = {};
  for (const [name, entry] of entries) {
    const urls = entry.flatMap((one) => (typeof one === 'string' ? one : one.urls));
    // An address with a path is left out, because a click's `referring_domain` has no path.
    const hosts = urls.filter((url) => !url.includes('/')).map((url) => toHost(url, isSearch));
    // "Google Images" counts as the site "Google".
    const site = decodeURIComponent(names.find((other) => name.startsWith(`${other} `)) ?? name);
    sites[site] = [...(sites[site] ?? []), ...hosts];
  }
  const rows = Object.entries(sites).map(([name, hosts]) => [name, shortest(hosts).join(' ')]);
  return Object.fromEntries(rows.filter(([, hosts]) => hosts !== ''));
}

/**
 * Returns a host of Matomo's list as a pattern: `*.host` includes its subdomains, `host.*` any
 * country (Matomo writes `{}`). Search engines do not include subdomains, because many of them are
 * portals with other services.
 */
function toHost(url: string, isSearch: boolean): string {
  const host = url.replace(/^www\./, '').replace(/\.\{\}$/, '.*');
  if (host.includes('{}.')) return host.replace(/^.*\{\}/, '*');
  return isSearch ? host : `*.${host}`;
}

/** Returns the hosts without repetitions, and without those that a `*.` of another one includes. */
const shortest = (hosts: string[]): string[] =>
  [...new Set(hosts)].filter(
    (host) =>
      !hosts.some(
        (one) => one !== host && one.startsWith('*.') && `.${host}`.endsWith(one.slice(1)),
      ),
  );

if (import.meta.main) {
  const folder = process.argv[2] ?? '.';
  const read = (name: string, isSearch = false) =>
    readSites(readFileSync(join(folder, `${name}.yml`), 'utf8'), isSearch);
  const list = {
    assistant: read('AIAssistants'),
    social: read('Socials'),
    search: read('SearchEngines', true),
  };
  process.stdout.write(`${JSON.stringify(list, null, 2)}\n`);
}
