/**
 * The words of the team's switch in every language. In a file of their own, because visitors never
 * load them.
 */
import type { Language } from '#contract/language.ts';
import { team as en, type TeamWords } from './en/team.ts';
import { team as es } from './es/team.ts';

export const TEAM: Record<Language, TeamWords> = { en, es };
