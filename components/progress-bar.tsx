/**
 * How far the page is scrolled. Decoration, so hidden from assistive technology; its width comes later, through
 * CSSOM (follow-scroll.ts), because the content security policy refuses style attributes.
 */
export function ProgressBar() {
  return (
    <div
      className="fixed top-0 left-0 z-2 h-1.5 w-0 bg-bar forced-color-adjust-none motion-reduce:hidden print:hidden"
      data-progress
      aria-hidden="true"
    />
  );
}
