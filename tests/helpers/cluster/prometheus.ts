/** The programs that check the files of deploy/prometheus. */
import { findProgram } from './daemon.ts';

export const findPromtool = () => findProgram('/usr/bin/promtool', '/usr/local/bin/promtool');
export const findAmtool = () => findProgram('/usr/bin/amtool', '/usr/local/bin/amtool');

/** Whether both programs are installed. */
export const hasPrometheus = () => Boolean(findPromtool() && findAmtool());
