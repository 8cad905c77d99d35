/** Lane marks on a plum ground; build/make-share-image.ts makes the favicons of it. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="6" fill="#4b1f52" />
      <path
        d="M8 35C8 19 24 13 24-3"
        fill="none"
        stroke="#f4b23e"
        strokeWidth="5.5"
        strokeLinecap="round"
        strokeDasharray="6 9"
        strokeDashoffset="4"
      />
    </svg>
  );
}
