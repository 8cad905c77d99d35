import css from '#renderer/page.css?inline';

/**
 * The style of the landing page below its hero. The build moves it into a file (build/finish.ts), which the browser loads while it
 * shows the hero: first.css is enough for that.
 */
export function PageStyle() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet.
  return <style data-file="page" dangerouslySetInnerHTML={{ __html: css }} />;
}
