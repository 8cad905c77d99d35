/** A link that leaves the site says so in words, not with an icon. */
export function NewTabLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children} <span>(opens in new tab)</span>
    </a>
  );
}
