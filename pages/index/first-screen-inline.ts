/**
 * The inline script that lets the browser lay out the first screen alone: base.css then skips what is far below, until
 * lay-out-rest.ts takes it up after the first paint.
 *
 * Not where the visitor comes to a place further down, by a fragment or by coming back: that place must not move.
 */
const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
if (visit?.type === 'navigate' && !location.hash) document.documentElement.dataset.firstScreen = '';
