/**
 * A script that stands in the HTML itself. Where it stands matters: the browser runs it when it has read so far, and
 * likes to paint what it has before it reads on.
 *
 * @param code of a `virtual:inline/…` module (build/inline-scripts-plugin.ts)
 */
export function InlineScript({ code }: { code: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, allowed by its hash in the content security policy.
  return <script dangerouslySetInnerHTML={{ __html: code }} />;
}
