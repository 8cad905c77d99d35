import { MAX_REFERRER } from '#contract/limits.ts';

/**
 * Returns the landing URL's `ref`, which names the referrer of the visitor.
 *
 * A URL can contain anything, so control characters are removed, and a long value is cut, never in the middle of a
 * surrogate pair. The first of repeated parameters counts. An empty result is null.
 *
 * @param query the parameters of the landing URL
 */
export function readRef(query: URLSearchParams): string | null {
  const raw = query.get('ref') ?? '';
  const ref = raw
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_REFERRER)
    .replace(/[\uD800-\uDBFF]$/, '');
  return ref || null;
}
