/**
 * Scripts inside the HTML. Their place matters: the browser runs each as soon as it has parsed it,
 * and may paint the HTML so far before it parses the rest.
 */

import siteLinksInline from '#browser/inline/site-links-inline.ts?script';
import stubInline from '#browser/inline/stub.ts?script';
import visitInline from '#browser/inline/visit-inline.ts?script';

const InlineScript = ({ code }: { code: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, allowed by its hash in the content security policy.
  <script dangerouslySetInnerHTML={{ __html: code }} />
);

/** Counts clicks. Only links that come after it are ready when a visitor sees them. */
export const ClickStub = () => <InlineScript code={stubInline} />;

/** Counts the visit. It follows the click stub. */
export const VisitScript = () => <InlineScript code={visitInline} />;

/** For a page that is not counted. */
export const SiteLinksScript = () => <InlineScript code={siteLinksInline} />;

/**
 * @throws if a call to action in the page's HTML comes before the stub, because its first clicks
 * could be lost
 */
export function requireStubFirst(html: string, path: string): void {
  const [before = ''] = html.split(`<script>${stubInline}</script>`);
  const [, cta] = /<a [^>]*data-cta="([^"]*)"/.exec(before) ?? [];
  if (cta === undefined) return;
  throw new Error(
    `The call to action "${cta}" on ${path} comes before the script that counts its clicks. Put <ClickStub /> before the page’s first <CtaLink>.`,
  );
}
