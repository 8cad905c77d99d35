/**
 * The inline script of the landing page that starts the hero's entrance (renderer/css/motion.css)
 * when the page is idle after its first paint: an animation that runs earlier delays the paint by
 * half a frame, or the response to the first input.
 */
import { afterFirstPaint, whenIdle } from '../idle.ts';

afterFirstPaint(() =>
  whenIdle(() => {
    for (const part of document.querySelectorAll<HTMLElement>('[data-arrive]'))
      part.dataset.arrive = 'shown';
  }),
);
