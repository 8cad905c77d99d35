import type { ComponentProps } from 'react';

const LOOK =
  'inline-flex min-h-12 items-center justify-center rounded-control border-fine border-line bg-card px-5 py-2 font-bold text-ink no-underline hover:border-ink';

/** A secondary action: a link within the site, or a button. */
export function QuietLink({ className = '', ...link }: ComponentProps<'a'>) {
  return <a className={`${LOOK} ${className}`.trim()} {...link} />;
}

export function QuietButton(button: ComponentProps<'button'>) {
  return <button type="button" className={LOOK} {...button} />;
}
