import type { Plugin } from 'vite';

const POSTHOG = /\/posthog-js\/dist\/module\.slim\.no-external\.js$/;

/**
 * Features of posthog-js that run although our settings disable them, and the code that replaces them. Reasons and costs:
 * docs/decisions/003-posthog-late-and-lossless.md.
 */
const UNWANTED: [what: string, found: RegExp, instead: string][] = [
  ['time zone', /Intl\.DateTimeFormat\(\)\.resolvedOptions\(\)\.timeZone/g, '(void 0)'],
  ['time zone offset', /\(new Date\)\.getTimezoneOffset\(\)/g, '(void 0)'],
  [
    'stored consent',
    /(?<=get _storedConsent\(\)\{)(?=var \w+=this\._storage\._get\()/g,
    'return -1;',
  ],
];

/** Removes the unwanted features from posthog-js. Fails the build when the code of a new version differs. */
export function leanerPosthogPlugin(): Plugin {
  return {
    name: 'leaner-posthog',
    apply: 'build',
    transform(code, id) {
      if (!POSTHOG.test(id)) return;
      let lean = code;
      for (const [what, found, instead] of UNWANTED) {
        const times = lean.match(found)?.length ?? 0;
        if (times !== 1) this.error(`posthog-js: ${what} found ${times} times instead of once`);
        lean = lean.replace(found, instead);
      }
      return { code: lean, map: null };
    },
  };
}
