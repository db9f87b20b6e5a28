import type { MonthSums } from '@voisol/contract/billing-documents'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { formatBilledKwh } from '../../lib/billing-labels.ts'

const TotalLine = ({ label, children }: { label: string; children: string }) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt className="min-w-0 text-ink-soft">{label}</dt>
    <dd className="tabular shrink-0 font-medium">{children}</dd>
  </div>
)

/** What must be equal, counted each in its own way; the distributor's kWh and ours are never hidden behind one another. */
export function ControlTotals({ sums }: { sums: MonthSums }) {
  const totalsMatch = sums.linesWh === sums.membersWh && sums.membersWh === sums.operationWh
  const differenceWh = sums.distributorWh - sums.oursForThemWh
  const Icon = totalsMatch ? Check : X
  return (
    <section className="grid content-start gap-2">
      <h3 className="flex items-center gap-1.5 text-body font-medium">
        <Icon aria-hidden="true" className={`size-4 ${totalsMatch ? 'text-success' : 'text-danger'}`} />
        {totalsMatch ? 'Les sommes tombent juste' : 'Les sommes ne tombent pas juste'}
      </h3>
      <dl className="grid gap-1.5 text-body">
        <TotalLine label="Somme des lignes">{formatBilledKwh(sums.linesWh)}</TotalLine>
        <TotalLine label="Somme des participants">{formatBilledKwh(sums.membersWh)}</TotalLine>
        <TotalLine label="Total de l’opération">{formatBilledKwh(sums.operationWh)}</TotalLine>
        {sums.distributorWh > 0 && (
          <>
            <TotalLine label="Dont facturé sur les quantités du distributeur">
              {formatBilledKwh(sums.distributorWh)}
            </TotalLine>
            <TotalLine label="Notre calcul pour les mêmes compteurs">{formatBilledKwh(sums.oursForThemWh)}</TotalLine>
            <TotalLine label="Écart">{`${differenceWh > 0 ? '+' : ''}${formatBilledKwh(differenceWh)}`}</TotalLine>
          </>
        )}
        {sums.oursWh > 0 && <TotalLine label="Facturé sur nos calculs">{formatBilledKwh(sums.oursWh)}</TotalLine>}
      </dl>
    </section>
  )
}
