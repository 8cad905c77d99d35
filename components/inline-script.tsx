/**
 * A script inside the HTML. Its place matters: the browser runs it as soon as it has parsed it, and may paint the
 * HTML so far before it parses the rest.
 *
 * @param code of a module with `?script` (build/inline-scripts.ts)
 */
export function InlineScript({ code }: { code: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, allowed by its hash in the content security policy.
  return <script dangerouslySetInnerHTML={{ __html: code }} />;
}
