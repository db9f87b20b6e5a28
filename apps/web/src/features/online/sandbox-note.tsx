/** Nobody takes a rehearsal for a payment. */
export const SandboxNote = () => (
  <p className="rounded-card border border-amber-200 bg-amber-50 px-4 py-3 text-body text-amber-900">
    Bac à sable&nbsp;: aucun argent ne circule. Payez avec la carte d’essai{' '}
    <span className="tabular whitespace-nowrap">4242 4242 4242 4242</span>.
  </p>
)
