import type { Plugin } from 'vite';

const POSTHOG = /\/posthog-js\/dist\/module\.slim\.no-external\.js$/;

/**
 * What posthog-js does though its settings say that it is not wanted, and what stands there instead. Why, and what each
 * of them costs: docs/decisions/003-posthog-late-and-lossless.md.
 */
const UNWANTED: [what: string, found: RegExp, instead: string][] = [
  ['time zone', /Intl\.DateTimeFormat\(\)\.resolvedOptions\(\)\.timeZone/g, '(void 0)'],
  ['time zone offset', /\(new Date\)\.getTimezoneOffset\(\)/g, '(void 0)'],
  // Without `disable_compression`, this would be needed. The tables first, then the one place that asks for them.
  [
    'tables of gzip',
    /,\w+=Uint8Array,\w+=Uint16Array,\w+=Uint32Array,.*?;(?=function \w+\(e,t\)\{void 0===t&&\(t=\{\}\);var i=function\(\)\{var e=4294967295)/gs,
    ';',
  ],
  ['gzip', /(?<=if\()\w+===\w+\.GZipJS(?=\)\{var \w+=\w+\(function)/g, '!1'],
  [
    'stored consent',
    /(?<=get _storedConsent\(\)\{)(?=var \w+=this\._storage\._get\()/g,
    'return -1;',
  ],
];

/** Takes out of posthog-js what no setting switches off. Fails the build when a new version is written otherwise. */
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
