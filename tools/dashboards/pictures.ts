/** The pictures by their paths. */
import { funnelByRef } from '#dashboards/funnels.ts';
import { GROWTH } from '#dashboards/growth.ts';
import { drawFunnel } from './draw-funnel.ts';
import { drawLayout } from './draw-layout.ts';

export const PICTURES = {
  'docs/images/growth-dashboard.svg': () => drawLayout(GROWTH),
  'docs/images/growth-funnel.svg': () => drawFunnel(funnelByRef),
};
