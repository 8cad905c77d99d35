/** Resolves a path of the command line. npm changes to the project's folder, and names the operator's folder. */
import { resolve } from 'node:path';

export const givenPath = (path: string): string => resolve(process.env.INIT_CWD ?? '.', path);
