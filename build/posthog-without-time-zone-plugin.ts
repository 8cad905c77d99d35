import type { Plugin } from 'vite';

const POSTHOG = /\/posthog-js\/dist\/module\.slim\.no-external\.js$/;
const ASKS_FOR_THE_ZONE = [
  'Intl.DateTimeFormat().resolvedOptions().timeZone',
  '(new Date).getTimezoneOffset()',
];

/**
 * Lets posthog-js find no time zone. It is no setting of posthog-js, nothing in the tracking plan asks for it, and the
 * browser's first answer was the longest task of the whole visit (docs/decisions/003-posthog-late-and-lossless.md).
 */
export function posthogWithoutTimeZonePlugin(): Plugin {
  return {
    name: 'posthog-without-time-zone',
    apply: 'build',
    transform(code, id) {
      if (!POSTHOG.test(id)) return;
      for (const text of ASKS_FOR_THE_ZONE) {
        if (code.split(text).length !== 2) this.error(`posthog-js asks otherwise than by ${text}`);
      }
      return { code: ASKS_FOR_THE_ZONE.reduce((c, text) => c.replace(text, '(void 0)'), code) };
    },
  };
}
