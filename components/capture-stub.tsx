import captureInline from '#browser/inline/capture-inline.ts?script';
import { InlineScript } from './inline-script.tsx';

/** The inline script that counts clicks (browser/inline/capture-inline.ts). Only links that come after it are ready when a visitor sees them. */
export const CaptureStub = () => <InlineScript code={captureInline} />;

/** @throws if a call to action in the page's HTML comes before the stub, because its first clicks could be lost */
export function requireStubFirst(html: string, path: string): void {
  const [, cta] =
    /<a [^>]*data-cta="([^"]*)"/.exec(html.split(`<script>${captureInline}</script>`)[0] ?? '') ??
    [];
  if (cta === undefined) return;
  throw new Error(
    `The call to action "${cta}" on ${path} comes before the script that counts its clicks. Put <CaptureStub /> before the page’s first <CtaLink>.`,
  );
}
