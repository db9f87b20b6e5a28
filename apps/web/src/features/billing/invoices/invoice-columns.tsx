import type { InvoiceRow, InvoiceTotals } from '@voisol/contract/invoice-views'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { Badge } from '../../../components/badge.tsx'
import { cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Link } from '../../../components/link.tsx'
import type { Column } from '../../../components/table.tsx'
import { KpiTile } from '../../../components/tile.tsx'
import { formatInvoicePeriod } from '../../../lib/billing-labels.ts'
import { formatCount, formatDate, formatMoney } from '../../../lib/format.ts'
import {
  formatSignedAmount,
  getChannelLabel,
  getDeliveryLabel,
  getInvoiceStateLabel,
  INVOICE_STATE_LABELS,
} from './labels.ts'

const softTextClass = 'block text-[0.8125rem] text-ink-soft'

const numberColumn: Column<InvoiceRow> = {
  header: 'Document',
  card: 'title',
  sort: 'number',
  // The seller stands here: a column of its own pushed the amounts out of sight on a tablet.
  cell: ({ id, number, kind, seller }) => (
    <span className="block py-1 whitespace-nowrap">
      <Link to={`/invoice/${id}`} className="tabular font-medium text-link">
        {number}
      </Link>
      <span className={`${softTextClass} max-w-44 truncate xl:max-w-80`} title={seller.name}>
        {INVOICE_KIND_LABELS[kind]}, {seller.name}
      </span>
    </span>
  ),
}
const buyerColumn: Column<InvoiceRow> = {
  header: 'Acheteur',
  card: 'secondary',
  sort: 'buyer',
  cell: ({ buyer, operation }) => (
    <span className="block min-w-36 py-1">
      <Link to={`/participant-billing?participant=${buyer.id}`} className="text-link">
        {buyer.name}
      </Link>
      <span className={softTextClass}>{operation.name}</span>
    </span>
  ),
}
const stateColumn: Column<InvoiceRow> = {
  header: 'État',
  card: 'primary',
  cell: ({ kind, state, delivery }) => (
    <span className="grid justify-items-start gap-0.5 py-1 max-sm:justify-items-end">
      <Badge tone={INVOICE_STATE_LABELS[state].tone}>{getInvoiceStateLabel(kind, state)}</Badge>
      <span className={delivery?.state === 'failed' ? 'text-[0.8125rem] text-danger' : softTextClass}>
        {delivery
          ? `${getChannelLabel(delivery.channel)}\u00a0: ${getDeliveryLabel(delivery.state).label.toLowerCase()}`
          : 'Non envoyé'}
      </span>
    </span>
  ),
}

export const invoiceColumns: Column<InvoiceRow>[] = [
  numberColumn,
  buyerColumn,
  {
    header: 'Période',
    card: 'primary',
    sort: 'month',
    // A month stays on one line; from one day to another may take two.
    cell: (row) => formatInvoicePeriod(row).replaceAll(/(?<!–) /g, '\u00a0'),
  },
  {
    header: 'Échéance',
    card: 'primary',
    sort: 'dueOn',
    cell: ({ issuedOn, dueOn, kind }) => (
      <span className="block py-1 whitespace-nowrap">
        {kind === 'invoice' || kind === 'complement' ? formatDate(dueOn) : '–'}
        <span className={softTextClass}>émis le {formatDate(issuedOn)}</span>
      </span>
    ),
  },
  {
    header: 'Montant TTC',
    card: 'primary',
    align: 'end',
    sort: 'gross',
    cell: ({ kind, gross }) => formatSignedAmount(kind, gross),
  },
  {
    header: 'Reste dû',
    card: 'primary',
    align: 'end',
    cell: ({ kind, open }) => (open === 0 ? '–' : formatSignedAmount(kind, open)),
  },
  stateColumn,
]

/** On the account of one buyer, who need not be named on every line. */
export const accountInvoiceColumns = invoiceColumns.filter(({ header }) => header !== 'Acheteur')

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
