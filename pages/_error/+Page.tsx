export function Page() {
  return <main className="p-4 text-lg">404</main>;
}
