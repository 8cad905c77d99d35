/** The program that checks the rules of deploy/prometheus. */
import { findProgram } from './daemon.ts';

export const findPromtool = () => findProgram('/usr/bin/promtool', '/usr/local/bin/promtool');

export const hasPrometheus = () => Boolean(findPromtool());
