/**
 * Inline scripts. Their place in the HTML matters: the browser runs a script as soon as it has
 * parsed it, and can paint the HTML before it earlier than the HTML after it.
 */

import entranceInline from '#browser/inline/entrance-inline.ts?script';
import siteLinksInline from '#browser/inline/site-links-inline.ts?script';
import stubInline from '#browser/inline/stub.ts?script';
import visitInline from '#browser/inline/visit-inline.ts?script';

const InlineScript = ({ code }: { code: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, allowed by its hash in the content security policy.
  <script dangerouslySetInnerHTML={{ __html: code }} />
);

/**
 * The script that counts clicks. Put it before the first call to action, so that each one is ready
 * before a visitor sees it.
 */
export const ClickStub = () => <InlineScript code={stubInline} />;

/** The script that sends the page view. Put it after `ClickStub`, whose data it uses. */
export const VisitScript = () => <InlineScript code={visitInline} />;

/** The script that starts the hero's entrance. Put it after the hero. */
export const EntranceScript = () => <InlineScript code={entranceInline} />;

/** The script for pages whose visits are not counted: it keeps the `ref` in the site's links. */
export const SiteLinksScript = () => <InlineScript code={siteLinksInline} />;

/**
 * Checks that no call to action comes before `ClickStub`, because its first clicks could be lost.
 *
 * @param html of the whole page
 * @param path of the page, for the message
 * @throws an Error that names the call to action
 */
export function requireStubFirst(html: string, path: string): void {
  const [before = ''] = html.split(`<script>${stubInline}</script>`);
  const [, cta] = /<a [^>]*data-cta="([^"]*)"/.exec(before) ?? [];
  if (cta === undefined) return;
  throw new Error(
    `The call to action "${cta}" on ${path} comes before the script that counts its clicks. Put <ClickStub /> before the page’s first <CtaLink>.`,
  );
}
