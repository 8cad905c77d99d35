/**
 * How far the page is scrolled. Decoration, so hidden from assistive technology; its width comes later, through
 * CSSOM (follow-scroll.ts), because the content security policy refuses style attributes.
 */
export function ProgressBar() {
  return <div className="progress" data-progress aria-hidden="true" />;
}
