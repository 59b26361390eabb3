export function App() {
  return (
    <main>
      <h1>Turnout Scanner</h1>
    </main>
  );
}
