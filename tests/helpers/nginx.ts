/** nginx with the configuration that is shipped. */
import { findProgram } from './daemon.ts';

export const findNginx = () => findProgram('/usr/sbin/nginx', '/usr/local/sbin/nginx');
