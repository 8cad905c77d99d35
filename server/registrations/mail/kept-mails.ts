/** Mails that a server without SMTP_URL has stored as files. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mailFile } from './transport.ts';

/** While a mail is being sent, and afterwards if it is not known whether the SMTP server has accepted it. */
export const UNCLEAR = '.sending';

export type KeptMail = 'file' | 'unclear' | null;

/** @param folders of mails @returns whether a registration's mail is a file in one of them */
export function keptMail(folders: readonly string[], id: string): KeptMail {
  const files = folders.map((folder) => mailFile(folder, id));
  if (files.some((file) => existsSync(file))) return 'file';
  return files.some((file) => existsSync(file + UNCLEAR)) ? 'unclear' : null;
}

/** @returns the ids of the mails that are files in this folder */
export function keptIds(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => /^([\da-f-]{36})\.eml$/.exec(name)?.[1] ?? []);
}

/** @returns the files of mails of which it is not known whether they were sent */
export function unclearFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(`.eml${UNCLEAR}`))
    .map((name) => join(folder, name));
}
