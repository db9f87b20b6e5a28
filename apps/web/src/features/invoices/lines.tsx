import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { ENERGY_SOURCE_LABELS } from '@voisol/contract/money'
import { formatMoney, formatNumber } from '../../lib/format.ts'
import { formatInvoicePeriod } from '../../lib/invoice-words.ts'
import { formatPrice } from '../../lib/price.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { formatDocumentKwh } from './labels.ts'
import { LineDays } from './line-days.tsx'

type Row = { id: string; at: number; line: SnapshotLine }
const softTextClass = 'block text-[0.8125rem] text-ink-soft'
const ROLE_LABELS = { cancel: 'Annulation', replace: 'Remplacement' }

const formatQuantity = (line: SnapshotLine) => {
  if (line.kind === 'energy' || line.kind === 'accise') return formatDocumentKwh(line.wh)
  return line.kind === 'service' ? `${line.quantity} ${line.unit}` : '–'
}
const formatUnitPrice = (line: SnapshotLine) => {
  if (line.kind === 'energy') return formatPrice(line.price)
  if (line.kind === 'accise') return `${formatMoney(line.centsPerMwh)}/MWh`
  return line.kind === 'service' ? line.price : '–'
}

const columns: Column<Row>[] = [
  {
    header: 'Désignation',
    card: 'title',
    cell: ({ line }) => (
      <span className="block min-w-44 py-1">
        {line.role && <span className="font-medium">{ROLE_LABELS[line.role]} · </span>}
        {line.label}
        <span className={softTextClass}>
          {formatInvoicePeriod(line)}
          {line.prm && <span className="tabular"> · PRM {line.prm}</span>}
        </span>
      </span>
    ),
  },
  {
    header: 'Quantité',
    card: 'primary',
    align: 'end',
    cell: ({ line }) => <span className="whitespace-nowrap">{formatQuantity(line)}</span>,
  },
  {
    header: 'Prix HT',
    card: 'primary',
    align: 'end',
    cell: ({ line }) => <span className="whitespace-nowrap">{formatUnitPrice(line)}</span>,
  },
  {
    header: 'TVA',
    card: 'primary',
    align: 'end',
    cell: ({ line }) => (line.category === 'S' ? `${formatNumber(line.rate / 100)}\u00a0%` : '–'),
  },
  { header: 'Montant HT', card: 'primary', align: 'end', cell: ({ line }) => formatMoney(line.net) },
]

type LinesProps = { id: string; snapshot: InvoiceSnapshot; why: (month: string) => string }

/** The lines as printed; each line of energy opens to the days behind it. */
export function InvoiceLines({ id, snapshot, why }: LinesProps) {
  const rows = snapshot.lines.map((line, at): Row => ({ id: String(at), at, line }))
  return (
    <Table
      label="Lignes du document"
      rows={rows}
      columns={columns}
      detail={{
        label: ({ line }) => `Ouvrir ${line.label}, ${formatInvoicePeriod(line)}`,
        content: ({ line, at }) => <LineDetails id={id} at={at} line={line} why={why} />,
      }}
    />
  )
}

function LineDetails({ id, at, line, why }: { id: string; at: number; line: SnapshotLine; why: LinesProps['why'] }) {
  if (line.kind === 'energy')
    return (
      <div className="grid gap-3">
        <p className="text-[0.8125rem] text-ink-soft">
          {formatPrice(line.price)} hors taxes. Source&nbsp;: {ENERGY_SOURCE_LABELS[line.source]}.
        </p>
        <LineDays id={id} line={at} why={why(`${line.from.slice(0, 7)}-01`)} />
      </div>
    )
  const notes = {
    accise: 'L’accise porte sur les mêmes kilowattheures que la ligne qui la précède.',
    fee: 'Un frais se compte au jour\u00a0: la part de la période est la différence de deux cumuls.',
    service: 'Le prix du travail de l’organisateur.',
  }
  return <p className="text-[0.8125rem] text-ink-soft">{notes[line.kind]}</p>
}
