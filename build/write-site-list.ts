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
 * Names of sites, and their hosts with spaces between them, as server/http/site-list.ts reads them.
 */
type Sites = Record<string, string>;

/** Hosts of one site, as the list has them. Those of search engines are in groups. */
type Entry = (string | { urls: string[] })[];

/** @returns the sites of a file of the list */
export function readSites(yaml: string, isSearch: boolean): Sites {
  const entries = Object.entries(parse(yaml) as Record<string, Entry>);
  const names = entries.map(([name]) => name);
  const sites: Record<string, string[]> = {};
  for (const [name, entry] of entries) {
    const urls = entry.flatMap((one) => (typeof one === 'string' ? one : one.urls));
    // A referrer has no path, so an address with one cannot be told from the rest of its host.
    const hosts = urls.filter((url) => !url.includes('/')).map((url) => toHost(url, isSearch));
    // "Google Images" is the site Google.
    const site = decodeURIComponent(names.find((other) => name.startsWith(`${other} `)) ?? name);
    sites[site] = [...(sites[site] ?? []), ...hosts];
  }
  const rows = Object.entries(sites).map(([name, hosts]) => [name, shortest(hosts).join(' ')]);
  return Object.fromEntries(rows.filter(([, hosts]) => hosts !== ''));
}

/**
 * `{}` stands for a country. Only search engines are named host by host, because many are portals.
 */
function toHost(url: string, isSearch: boolean): string {
  const host = url.replace(/^www\./, '').replace(/\.\{\}$/, '.*');
  if (host.includes('{}.')) return host.replace(/^.*\{\}/, '*');
  return isSearch ? host : `*.${host}`;
}

/** Leaves out hosts that another one includes. */
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
