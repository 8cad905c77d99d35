/** Reads the build's facts about the pages, from dist/site.json. */
import { accessSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltSite, builtSiteSchema } from '#contract/built-site.schema.ts';

/** @returns sentences about the example's values, which visitors must not take for facts */
export function describeExamples({ exampleKeys, exampleNames }: BuiltSite): string[] {
  const keys = `site.json still has the example's ${exampleKeys.join(', ')}. Replace them, and build again.`;
  const names = `The pages still have invented names: ${exampleNames.join(', ')}. Correct those sentences in words/, and build again.`;
  return [...(exampleKeys.length > 0 ? [keys] : []), ...(exampleNames.length > 0 ? [names] : [])];
}

/** @returns whether the site is on the machine of somebody who tries it. Examples are right there */
export const isLocal = ({ siteUrl }: BuiltSite): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(siteUrl).hostname);

/** @throws an Error that says what to run, when the build is missing, incomplete or from another version */
export function readBuiltSite(distDir: string): BuiltSite {
  try {
    for (const page of ['index.html', '404.html']) accessSync(join(distDir, 'client', page));
    return builtSiteSchema.parse(JSON.parse(readFileSync(join(distDir, 'site.json'), 'utf8')));
  } catch {
    throw new Error(`There is no complete build in ${distDir}. Run \`npm run build\` first.`);
  }
}
