import type { InvoiceRow } from '@voisol/contract/invoice-views'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { formatDate } from '../../lib/format.ts'
import { formatInvoicePeriod } from '../../lib/invoice-words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Link } from '../../ui/link.tsx'
import type { Column } from '../../ui/table.tsx'
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
