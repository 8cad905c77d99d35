/** The files of deploy/prometheus. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const DEPLOYED = 'deploy/prometheus';

interface Rule {
  alert: string;
  expr: string;
  annotations: Record<string, string>;
}

const read = (name: string) => readFileSync(join(DEPLOYED, name), 'utf8');

export const readYaml = (name: string) => parse(read(name));
export const shippedRules = (): Rule[] => readYaml('site.rules.yml').groups[0].rules;
