import type { InvoiceRow } from '@voisol/contract/invoice-views'
import { KIND_WORDS } from '@voisol/contract/money'
import { date } from '../../lib/format.ts'
import { periodLabel } from '../../lib/invoice-words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Link } from '../../ui/link.tsx'
import type { Column } from '../../ui/table.tsx'
import { channelLabel, deliveryLabel, STATES, signed, stateLabel } from './labels.ts'

const soft = 'block text-[0.8125rem] text-ink-soft'

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
      <span className={`${soft} max-w-44 truncate xl:max-w-80`} title={seller.name}>
        {KIND_WORDS[kind]}, {seller.name}
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
      <span className={soft}>{operation.name}</span>
    </span>
  ),
}
const stateColumn: Column<InvoiceRow> = {
  header: 'État',
  card: 'primary',
  cell: ({ kind, state, delivery }) => (
    <span className="grid justify-items-start gap-0.5 py-1 max-sm:justify-items-end">
      <Badge tone={STATES[state].tone}>{stateLabel(kind, state)}</Badge>
      <span className={delivery?.state === 'failed' ? 'text-[0.8125rem] text-danger' : soft}>
        {delivery
          ? `${channelLabel(delivery.channel)}\u00a0: ${deliveryLabel(delivery.state).label.toLowerCase()}`
          : 'Non envoyé'}
      </span>
    </span>
  ),
}

export const columns: Column<InvoiceRow>[] = [
  numberColumn,
  buyerColumn,
  {
    header: 'Période',
    card: 'primary',
    sort: 'month',
    // A month stays on one line; from one day to another may take two.
    cell: (row) => periodLabel(row).replaceAll(/(?<!–) /g, '\u00a0'),
  },
  {
    header: 'Échéance',
    card: 'primary',
    sort: 'dueOn',
    cell: ({ issuedOn, dueOn, kind }) => (
      <span className="block py-1 whitespace-nowrap">
        {kind === 'invoice' || kind === 'complement' ? date(dueOn) : '–'}
        <span className={soft}>émis le {date(issuedOn)}</span>
      </span>
    ),
  },
  {
    header: 'Montant TTC',
    card: 'primary',
    align: 'end',
    sort: 'gross',
    cell: ({ kind, gross }) => signed(kind, gross),
  },
  {
    header: 'Reste dû',
    card: 'primary',
    align: 'end',
    cell: ({ kind, open }) => (open === 0 ? '–' : signed(kind, open)),
  },
  stateColumn,
]

/** On the account of one buyer, who need not be named on every line. */
export const accountColumns = columns.filter(({ header }) => header !== 'Acheteur')
