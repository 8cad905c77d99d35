/** Finds variables that were probably meant for this project, but have a wrong name. */
import { editDistance } from '#contract/nearest-word.ts';
import { describeFormer, SITE_VARIABLES, siteFileOf } from '#site.config.ts';
import { SERVER_VARIABLES } from './config.ts';

const PREFIXES = /^(?:VITE|POSTHOG|RATE_LIMIT|REGISTRATION|REPORT|CLICK|SMTP|MAIL|CORS|METRICS)_/;
/** Shorter names are too often one letter away from another program's variable. */
const LEAST_LETTERS = 4;

/** @returns a sentence for each variable that nothing reads */
export function describeUnknown(env: Record<string, string | undefined>): string[] {
  const ours = [...SERVER_VARIABLES, ...SITE_VARIABLES];
  const unknown = Object.keys(env).filter((name) => env[name] && !ours.includes(name));
  const siteFile = siteFileOf(env);
  return unknown.flatMap((name) => {
    const former = describeFormer({ [name]: env[name] }, siteFile);
    if (former.length > 0) return former;
    const meant = name.length >= LEAST_LETTERS && ours.find((one) => isNear(name, one));
    if (meant) return [`${name} is not a variable of this project. Is ${meant} meant?`];
    return PREFIXES.test(name)
      ? [`${name} is not a variable of this project. .env.example lists them all.`]
      : [];
  });
}

const isNear = (a: string, b: string): boolean =>
  Math.abs(a.length - b.length) <= 1 && editDistance(a, b) === 1;
