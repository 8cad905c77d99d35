import { site } from 'virtual:site';
import { BrandMark } from './brand-mark.tsx';

/** Two stops before the call to action: the skip link and the way home. */
export function SiteHeader() {
  return (
    <header className="wrap masthead">
      <a className="skip" href="#main">
        Skip to main content
      </a>
      <a className="brand" href="/">
        <BrandMark />
        {site.productName}
      </a>
    </header>
  );
}
