import type { WhiteLabel } from '@voisol/contract/white-label'

/** The company has closed its portal: who they are and how they are reached. */
export default function PortalClosed({ brand }: { brand: WhiteLabel }) {
  return (
    <div className="grid gap-3 rounded-card border border-line bg-card p-6">
      <h1 className="text-2xl font-semibold">Votre espace est fermé pour l’instant</h1>
      <p className="text-ink-soft">
        Vos factures et vos messages continuent d’arriver par e-mail. Pour toute question, écrivez à votre organisation.
      </p>
      <address className="not-italic wrap-anywhere whitespace-pre-line">
        <bdi className="font-medium">{brand.companyName}</bdi>
        {[brand.companyAddress, brand.companyPhone, brand.companyEmail].filter(Boolean).map((line) => `\n${line}`)}
      </address>
    </div>
  )
}
