import type { InvoiceTotals } from '@voisol/contract/invoice-views'
import { formatCount, formatMoney } from '../../lib/format.ts'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { KpiTile } from '../../ui/tile.tsx'

const AGE_BANDS = [
  ['notDue', 'Non échu', 'bg-slate-300'],
  ['upTo30', '1 à 30 jours', 'bg-amber-400'],
  ['upTo60', '31 à 60 jours', 'bg-orange-500'],
  ['over60', 'Plus de 60 jours', 'bg-red-600'],
] as const

/** What is open, by how long it has been due. */
function AgeingBreakdown({ totals: { ageing, open } }: { totals: InvoiceTotals }) {
  return (
    <section
      aria-label="Reste dû par ancienneté"
      className={cx(cardClass, 'flex min-w-0 flex-col gap-3 p-5 sm:col-span-2')}
    >
      <p className="text-body font-medium text-ink-soft">Reste dû par ancienneté</p>
      <div aria-hidden="true" className="flex h-2.5 gap-0.5 overflow-hidden rounded-full bg-slate-100">
        {AGE_BANDS.filter(([age]) => ageing[age] > 0).map(([age, , tone]) => (
          <span key={age} className={tone} style={{ width: `${(ageing[age] / open) * 100}%` }} />
        ))}
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
        {AGE_BANDS.map(([age, label, tone]) => (
          <div key={age} className="min-w-0">
            <dt className="flex items-center gap-1.5 text-[0.8125rem] text-ink-soft">
              <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', tone)} />
              {label}
            </dt>
            <dd className="tabular mt-0.5 font-medium">{formatMoney(ageing[age])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const formatOverdueNote = ({ overdue, credit }: InvoiceTotals) => {
  const overdueText = overdue > 0 ? `dont ${formatMoney(overdue)} en retard` : 'Rien n’est en retard'
  return credit > 0 ? `${overdueText}\u00a0; ${formatMoney(credit)} de crédit à reporter` : overdueText
}

/** What was issued, what is left of it, and since when. */
export const AgeingTiles = ({ totals }: { totals: InvoiceTotals }) => (
  <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4 [&>*]:min-w-0">
    <KpiTile
      label="Facturé TTC"
      figure={formatMoney(totals.gross)}
      note={`${formatCount(totals.documents, 'document')}, avoirs déduits`}
    />
    <KpiTile label="Reste dû" figure={formatMoney(totals.open)} note={formatOverdueNote(totals)} />
    <AgeingBreakdown totals={totals} />
  </div>
)
