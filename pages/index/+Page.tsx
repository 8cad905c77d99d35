export function Page() {
  return <main className="p-4 text-lg">Hello</main>;
}
