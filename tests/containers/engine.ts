/** Docker, or podman behind Docker's API, for docker-compose. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const succeeds = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** @returns null if this machine cannot run containers */
export function findEngine(): 'docker' | 'podman' | null {
  if (!succeeds('docker-compose', '--version')) return null;
  if (succeeds('docker', 'info')) return 'docker';
  return process.getuid?.() === 0 && succeeds('podman', '--version') ? 'podman' : null;
}

/** Ends with `stop`. Images that podman built before stay, so that a second run is quick. */
export async function startEngine() {
  const engine = findEngine();
  if (!engine) throw new Error('Install podman or Docker, and docker-compose');
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  const socket = join(folder, 'engine.sock');
  const configuration = join(folder, 'containers.conf');
  // podman's own limits are above what a machine without privileges allows.
  writeFileSync(
    configuration,
    '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\n',
  );
  const env = {
    ...process.env,
    ...(engine === 'podman' && { CONTAINERS_CONF: configuration, DOCKER_HOST: `unix://${socket}` }),
  };
  let service: ChildProcess | null = null;
  if (engine === 'podman') {
    service = spawn('podman', ['system', 'service', '--time=0', `unix://${socket}`], {
      env,
      stdio: 'ignore',
    });
    while (!existsSync(socket)) await wait(50);
  }
  const run = async (program: string, args: string[], cwd = '.'): Promise<string> => {
    const { stdout } = await promisify(execFile)(program, args, { env, cwd, maxBuffer: 1e9 });
    return stdout;
  };
  return {
    /** Runs docker or podman. @returns standard output @throws with standard error */
    run: (...args: string[]) => run(engine, args),
    async build(tag: string, ...args: string[]): Promise<void> {
      const format = engine === 'podman' ? ['--format', 'docker', '--network', 'host'] : [];
      await run(engine, ['build', ...format, '--tag', tag, ...args]);
    },
    has: (image: string) => succeeds(engine, 'image', 'inspect', image),
    compose: (folder: string, ...args: string[]) => run('docker-compose', args, folder),
    stop() {
      service?.kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
