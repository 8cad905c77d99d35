import visitInline from 'virtual:inline/visit';
import { InlineScript } from './inline-script.tsx';

/** The inline script that counts the visit (pages/visit-inline.ts). It follows the capture stub. */
export const VisitScript = () => <InlineScript code={visitInline} />;
