/** Links to the landing page: the logo, and the 404 card's way back. */
export const HOME_LINKS = 'a[href="/"]';

/** Puts the page's `ref` into the links of the document that a selector finds. */
export function carryRef(selector: string, ref: string | null): void {
  if (!ref) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>(selector)) {
    const url = new URL(link.href);
    url.searchParams.set('ref', ref);
    link.href = url.href;
  }
}
