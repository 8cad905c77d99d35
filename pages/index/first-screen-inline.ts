/**
 * The inline script that lets the browser lay out the first screen alone: base.css then skips what is far below, until
 * lay-out-rest.ts takes it up after the first paint.
 *
 * Not where the visitor comes to a place further down, by a fragment or by coming back: that place must not move. And
 * in Chromium alone, which is known by its `userAgentData`: WebKit 2.50 often stops answering when the sections are
 * taken up again.
 */
const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
const isFresh = visit?.type === 'navigate' && !location.hash;
if (isFresh && 'userAgentData' in navigator) document.documentElement.dataset.firstScreen = '';
