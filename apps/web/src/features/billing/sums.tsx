import type { MonthSums } from '@voisol/contract/billing-documents'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { billedKwh } from '../../lib/billing-labels.ts'

const Line = ({ label, children }: { label: string; children: string }) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt className="min-w-0 text-ink-soft">{label}</dt>
    <dd className="tabular shrink-0 font-medium">{children}</dd>
  </div>
)

/** What must be equal, counted each in its own way; the distributor's kWh and ours are never hidden behind one another. */
export function Sums({ sums }: { sums: MonthSums }) {
  const ties = sums.linesWh === sums.membersWh && sums.membersWh === sums.operationWh
  const apart = sums.distributorWh - sums.oursForThemWh
  const Icon = ties ? Check : X
  return (
    <section className="grid content-start gap-2">
      <h3 className="flex items-center gap-1.5 text-body font-medium">
        <Icon aria-hidden="true" className={`size-4 ${ties ? 'text-success' : 'text-danger'}`} />
        {ties ? 'Les sommes tombent juste' : 'Les sommes ne tombent pas juste'}
      </h3>
      <dl className="grid gap-1.5 text-body">
        <Line label="Somme des lignes">{billedKwh(sums.linesWh)}</Line>
        <Line label="Somme des participants">{billedKwh(sums.membersWh)}</Line>
        <Line label="Total de l’opération">{billedKwh(sums.operationWh)}</Line>
        {sums.distributorWh > 0 && (
          <>
            <Line label="Dont facturé sur les quantités du distributeur">{billedKwh(sums.distributorWh)}</Line>
            <Line label="Notre calcul pour les mêmes compteurs">{billedKwh(sums.oursForThemWh)}</Line>
            <Line label="Écart">{`${apart > 0 ? '+' : ''}${billedKwh(apart)}`}</Line>
          </>
        )}
        {sums.oursWh > 0 && <Line label="Facturé sur nos calculs">{billedKwh(sums.oursWh)}</Line>}
      </dl>
    </section>
  )
}
