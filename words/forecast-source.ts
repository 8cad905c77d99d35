import type { Facts } from '#site.config.ts';

/** The publication that says "over 65 years" of life with cystic fibrosis; null: not known. */
export function forecastSource({
  forecastSource: name,
  forecastUrl: url,
}: Pick<Facts, 'forecastSource' | 'forecastUrl'>) {
  return name && url ? { name, url } : null;
}
