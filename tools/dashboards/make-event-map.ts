/**
 * Takes docs/images/events-on-page.jpg: the page, with the event that each of its parts sends to PostHog.
 *
 *   VITE_REGISTER_FORM=on npm start, and in another shell: node tools/dashboards/make-event-map.ts [http://localhost:3000]
 */
import { chromium } from 'playwright';
import { findChromium } from '../find-chromium.ts';
import { COLOURS } from './svg.ts';

const OUT = 'docs/images/events-on-page.jpg';
const WIDTH = 1280;
/** The page is long, so the picture is smaller. */
const SCALE = 0.45;
const JPEG_QUALITY = 72;

/** Which part of the page sends which event. `own` is an attribute whose value is a property. */
const PARTS = [
  { find: 'main section[aria-labelledby]', event: 'section_viewed', own: 'aria-labelledby' },
  { find: 'a[data-cta]', event: 'cta_click' },
  { find: '[data-island=video]', event: 'video_played' },
  { find: 'form', event: 'registration_submitted, _succeeded, _failed' },
];

const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--no-sandbox'],
});
const page = await browser.newPage({
  viewport: { width: WIDTH, height: 900 },
  deviceScaleFactor: SCALE,
  reducedMotion: 'reduce',
});
await page.goto(process.argv[2] ?? 'http://localhost:3000', { waitUntil: 'networkidle' });
await page.evaluate(loadPictures);
await page.evaluate(outline, { parts: PARTS, colours: COLOURS });
await page.screenshot({ path: OUT, fullPage: true, type: 'jpeg', quality: JPEG_QUALITY });
await browser.close();

/** Runs in the page: loads the pictures that are not in view yet. */
async function loadPictures(): Promise<void> {
  for (const image of document.images) image.loading = 'eager';
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
}

/** Runs in the page: draws a frame and a label around each part. */
function outline({ parts, colours }: { parts: typeof PARTS; colours: typeof COLOURS }): void {
  const draw = (text: string, { x, y, width, height }: DOMRect, isSmall: boolean) => {
    const frame = document.createElement('div');
    Object.assign(frame.style, {
      position: 'absolute',
      left: `${x + scrollX}px`,
      top: `${y + scrollY}px`,
      width: `${width}px`,
      height: `${height}px`,
      boxSizing: 'border-box',
      border: `4px ${isSmall ? 'solid' : 'dashed'} ${colours.strong}`,
      pointerEvents: 'none',
      zIndex: '99',
    });
    const label = document.createElement('div');
    label.textContent = text;
    Object.assign(label.style, {
      position: 'absolute',
      right: isSmall ? 'auto' : '0',
      left: isSmall ? '0' : 'auto',
      top: isSmall ? '100%' : '0',
      padding: '2px 10px',
      background: isSmall ? colours.warm : colours.strong,
      color: isSmall ? colours.ink : colours.paper,
      font: '600 24px ui-monospace, monospace',
      whiteSpace: 'nowrap',
    });
    frame.append(label);
    document.body.append(frame);
  };
  draw('$pageview, web_vital', new DOMRect(0, 0, document.documentElement.clientWidth, 44), true);
  for (const { find, event, own } of parts) {
    for (const element of document.querySelectorAll(find)) {
      const value = own ? `: ${element.getAttribute(own)}` : '';
      draw(event + value, element.getBoundingClientRect(), event !== 'section_viewed');
    }
  }
}
