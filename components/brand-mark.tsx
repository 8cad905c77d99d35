/** A lane mark on a plum ground; the favicons are made from it (build/make-share-image.ts). */
export function BrandMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="6" fill="#4b1f52" />
      <path d="M11 27C11 18 21 14 21 5" fill="none" stroke="#fbf7ef" strokeWidth="2" />
      <path
        d="M11 27C11 18 21 14 21 5"
        fill="none"
        stroke="#f4b23e"
        strokeWidth="7"
        strokeLinecap="round"
        strokeDasharray="5.5 12"
      />
    </svg>
  );
}
