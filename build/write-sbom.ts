/**
 * `npm run sbom`, also the last step of the build: writes `<dist>/sbom.json`, the software bill of materials in CycloneDX' format,
 * and `<dist>/licences.txt`, the licences with their texts. Both name what the server loads, Node, and the packages whose code is in
 * the page. The list comes from package-lock.json, because `npm sbom --omit dev` leaves out packages that a tool uses too.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { buildDir } from './load-site.ts';

const lockSchema = z.object({
  name: z.string(),
  version: z.string(),
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().default(false),
      devOptional: z.boolean().default(false),
    }),
  ),
});
type Package = z.infer<typeof lockSchema>['packages'][string] & { folder: string; name: string };

const dist = buildDir();
const lock = lockSchema.parse(readJson('package-lock.json'));
const inPage = z.array(z.string()).parse(readJson(join(dist, 'page-packages.json')));
const shipped = Object.entries(lock.packages)
  .filter(([folder, { dev, devOptional }]) => {
    if (folder === '') return false;
    return !(dev || devOptional) || inPage.includes(folder) || folder === 'node_modules/node';
  })
  .map(([folder, it]) => ({ folder, name: folder.replace(/.*node_modules\//, ''), ...it }));

const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'application', name: lock.name, version: lock.version } },
  components: shipped.map(describe),
};
writeFileSync(join(dist, 'sbom.json'), JSON.stringify(sbom, null, 2));
writeFileSync(join(dist, 'licences.txt'), shipped.map(describeLicence).join('\n'));
process.stdout.write(`${shipped.length} packages are in ${dist}/sbom.json and licences.txt.\n`);

function describe({ folder, name, version, license, integrity }: Package) {
  const [algorithm, digest = ''] = integrity?.split('-') ?? [];
  const isExpression = license && /[( ]/.test(license);
  return {
    'bom-ref': folder,
    type: name === 'node' ? 'platform' : 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
    ...(license && {
      licenses: [isExpression ? { expression: license } : { license: { id: license } }],
    }),
  };
}

function describeLicence({ folder, name, version, license = 'not stated' }: Package): string {
  const texts = globSync(`${folder}/{LICEN[SC]E,licen[sc]e,COPYING,NOTICE}*`).sort();
  return [
    `${name} ${version}: ${license}`,
    '',
    ...texts.map((file) => readFileSync(file, 'utf8').trim()),
    `${'-'.repeat(80)}\n`,
  ].join('\n');
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
