import { MAX_REFERRER } from '#contract/limits.ts';

/**
 * The landing URL's `ref`: who sent the visitor here.
 *
 * Anything may stand in an address, so control characters go, and what is too long is cut, never in the
 * middle of a surrogate pair. The first of repeated parameters counts. Nothing left: null.
 *
 * @param search `location.search`
 */
export function readRef(search: string): string | null {
  const raw = new URLSearchParams(search).get('ref') ?? '';
  const ref = raw
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_REFERRER)
    .replace(/[\uD800-\uDBFF]$/, '');
  return ref || null;
}
