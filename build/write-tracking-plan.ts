/** `npm run docs:tracking-plan` */
import { writeFileSync } from 'node:fs';
import { PLAN_PAGE, trackingPlanPage } from './tracking-plan.ts';

writeFileSync(PLAN_PAGE, trackingPlanPage());
