import { html } from '@remix-run/html-template';
import type { Html } from './join-html.ts';

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/**
 * Writes values into a page of the build: each `{{name}}` becomes the value of that name, escaped.
 * A value that itself has `{{name}}` stays as it is.
 */
export const fillPage = (page: string, values: Record<string, Html>): string =>
  page.replace(PLACEHOLDER, (_, name: string) => String(html`${values[name]}`));
