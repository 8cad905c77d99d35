/** Puts the page's `ref` into a link to the portal. */
export function carryRef(link: HTMLAnchorElement, ref: string | null): void {
  if (!ref) return;
  const query = new URLSearchParams(link.search);
  query.set('ref', ref);
  link.search = String(query);
}

/** Puts the page's `ref` into every link that a selector finds. */
export function carryRefInto(selector: string, ref: string | null): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(selector)) carryRef(link, ref);
}
