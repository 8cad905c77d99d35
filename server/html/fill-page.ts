import { html } from '@remix-run/html-template';
import type { Html } from './join-html.ts';

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/**
 * Fills in a page of the build: replaces each `{{name}}` by the value of that name, escaped. A
 * `{{name}}` inside a value is not replaced.
 */
export const fillPage = (page: string, values: Record<string, Html>): string =>
  page.replace(PLACEHOLDER, (_, name: string) => String(html`${values[name]}`));
