/** dist/site.json: facts about the built pages, written by the build for the server. */
import { z } from 'zod';
import { privacySchema } from './privacy.schema.ts';

const hashesSchema = z.object({ script: z.array(z.string()), style: z.array(z.string()) });

export const builtSiteSchema = z.object({
  /** CSP sources ('sha256-…') of every inline script and style of the built pages. */
  inlineHashes: hashesSchema,
  /** Those of the landing pages alone, because each would cost 54 bytes of their first round trip. */
  landingHashes: hashesSchema,
  /** Origin of the service that the browser asks for its public address; null: no look-up. */
  ipLookupOrigin: z.string().nullable(),
  /** The pages' origin. */
  siteUrl: z.url(),
  /** Origin of the API; null: the pages' own origin. */
  apiOrigin: z.string().nullable(),
  /** Host of the partner's portal; null: the server's stand-in answers its links. */
  portalHost: z.string().nullable(),
  /** PostHog's public project key. The proxy takes events for this key alone. Null: no PostHog. */
  posthogKey: z.string().nullable(),
  privacy: privacySchema,
  registerForm: z.boolean(),
  /** Keys of site.json that still have the values of the repository's example. */
  exampleKeys: z.array(z.string()),
  /** Facts for the mail after a registration. */
  mail: z.object({
    productName: z.string(),
    partnerName: z.string(),
    signUpUrl: z.url(),
    contactEmail: z.email(),
    privacyUrl: z.url(),
  }),
});
export type BuiltSite = z.infer<typeof builtSiteSchema>;
export type InlineHashes = BuiltSite['inlineHashes'];
