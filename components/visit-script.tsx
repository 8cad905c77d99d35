import visitInline from '#browser/inline/visit-inline.ts?script';
import { InlineScript } from './inline-script.tsx';

/** The inline script that counts the visit (browser/inline/visit-inline.ts). It follows the capture stub. */
export const VisitScript = () => <InlineScript code={visitInline} />;
