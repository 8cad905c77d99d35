/** Lane marks on a plum ground, with a light edge for dark pages. public/favicon.svg has the same. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect
        x="1"
        y="1"
        width="30"
        height="30"
        rx="6"
        fill="#4b1f52"
        stroke="#fbf7ef"
        strokeWidth="2"
      />
      <path
        d="M9 28C9 18 23 14 23 4"
        fill="none"
        stroke="#f4b23e"
        strokeWidth="5.5"
        strokeLinecap="round"
        strokeDasharray="4 8.5"
      />
    </svg>
  );
}
