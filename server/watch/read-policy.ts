/** Reads content security policies, and says whether they allow what this site's pages need. */
import { createHash } from 'node:crypto';

/** One content security policy: its sources by the name of their directive. */
export type Policy = Map<string, string[]>;

/** Reads the policies of a header. @param header `fetch` joins several headers by commas */
export function readPolicies(header: string): Policy[] {
  const texts = header.split(',').filter((text) => text.trim() !== '');
  return texts.map((text) => {
    const directives = text.split(';').map((directive) => directive.trim().split(/\s+/));
    return new Map(directives.map(([name = '', ...sources]) => [name.toLowerCase(), sources]));
  });
}

type Directive = 'script-src' | 'style-src' | 'connect-src' | 'img-src' | 'font-src';

/** Whether each policy allows requests to the page's own origin. */
export const allowsOwn = (policies: Policy[], directive: Directive, origin: string): boolean =>
  policies.every((policy) => {
    const sources = sourcesOf(policy, directive);
    const ownSources = ["'self'", '*', origin, `${URL.parse(origin)?.protocol}`];
    return sources === null || sources.some((source) => ownSources.includes(source));
  });

/** Whether each policy allows the text of an inline script or style. */
export const allowsInline = (policies: Policy[], directive: Directive, text: string): boolean =>
  policies.every((policy) => {
    const sources = sourcesOf(policy, directive);
    if (sources === null) return true;
    const hash = createHash('sha256').update(text).digest('base64');
    if (sources.includes(`'sha256-${hash}'`)) return true;
    // Browsers ignore 'unsafe-inline' if the directive also has a hash or a nonce.
    return (
      sources.includes("'unsafe-inline'") &&
      !sources.some((source) => /^'(?:sha|nonce)/.test(source))
    );
  });

/** Returns the sources that apply to a directive. Null: the policy allows all. */
const sourcesOf = (policy: Policy, directive: Directive): string[] | null =>
  policy.get(`${directive}-elem`) ?? policy.get(directive) ?? policy.get('default-src') ?? null;
