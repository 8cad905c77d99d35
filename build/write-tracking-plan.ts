/** `node build/write-tracking-plan.ts` */
import { writeFileSync } from 'node:fs';
import { PLAN_PAGE, trackingPlanPage } from './tracking-plan.ts';

writeFileSync(PLAN_PAGE, trackingPlanPage());
