import type { ComponentProps } from 'react';

/** A secondary action: a link within the site, or a button. */
export const QuietLink = (link: ComponentProps<'a'>) => <a className="quiet" {...link} />;

export const QuietButton = (button: ComponentProps<'button'>) => (
  <button type="button" className="quiet" {...button} />
);
