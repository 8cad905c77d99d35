/** Makes sure that PostgreSQL, Redis, nginx and logrotate are there for the tests of several servers, from Debian's packages. */
import { ensure } from './debian-packages.ts';
import { findLogrotate } from './logrotate.ts';
import { findNginx } from './nginx.ts';
import { findPostgres } from './postgres.ts';
import { findRedis } from './redis.ts';
import { canSlowDisk } from './slow-disk.ts';

ensure('PostgreSQL', findPostgres, ['postgresql']);
ensure('Redis', findRedis, ['redis-server']);
ensure('nginx', findNginx, ['nginx', 'libnginx-mod-http-brotli-static']);
ensure('logrotate', findLogrotate, ['logrotate']);
ensure('strace', canSlowDisk, ['strace']);
