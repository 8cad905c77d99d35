import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Node's flags between the program and the server's file, without the one for `.env`. */
function flagsIn(path: string): string[] {
  const command = /.*server\/main\.js.*/
    .exec(readFileSync(path, 'utf8').replaceAll(/[",[\]]/g, ' '))
    ?.toString();
  return [...(command ?? '').matchAll(/--(?!env-file)\S+/g)].map(String);
}

test.each(['deploy/systemd/site@.service', 'deploy/docker/Dockerfile'])(
  '%s starts the server with the flags of `npm run serve`',
  (path) => {
    const flags = flagsIn('package.json');
    expect(flags).not.toEqual([]);
    expect(flagsIn(path)).toEqual(flags);
  },
);
