/**
 * Shows how far the page is scrolled. It is decoration, so hidden from assistive technology. follow-scroll.ts sets its
 * width through CSSOM, because the content security policy refuses style attributes. It has an edge, because the green section
 * has the bar's own colour.
 */
export function ProgressBar() {
  return (
    <div
      className="fixed top-0 left-0 z-2 h-1.5 w-0 bg-bar [box-shadow:0_0_0_2px_var(--paper)] forced-color-adjust-none motion-reduce:hidden print:hidden"
      data-progress
      aria-hidden="true"
    />
  );
}
