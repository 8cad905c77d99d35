/** dist/site.json: what the build tells the server about the pages it made. */
import { z } from 'zod';
import { privacySchema } from './privacy.schema.ts';

export const builtSiteSchema = z.object({
  /** CSP sources ('sha256-…') of every inline script and style of the built pages. */
  inlineHashes: z.object({ script: z.array(z.string()), style: z.array(z.string()) }),
  /** Whom the browser may ask for its public address; null: nobody. */
  ipLookupOrigin: z.string().nullable(),
  /** Where the pages find the API, when not at their own origin. */
  apiOrigin: z.string().nullable(),
  /** The film is a YouTube frame. */
  youtube: z.boolean(),
  /** PostHog's public project key, the only one that events are passed on for; null: no PostHog. */
  posthogKey: z.string().nullable(),
  privacy: privacySchema,
  registerForm: z.boolean(),
  /** What the mail after a registration names. */
  mail: z.object({
    productName: z.string(),
    partnerName: z.string(),
    signUpUrl: z.url(),
    contactEmail: z.email(),
    privacyUrl: z.url(),
  }),
});
export type BuiltSite = z.infer<typeof builtSiteSchema>;
