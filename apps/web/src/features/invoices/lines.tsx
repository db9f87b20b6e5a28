import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { SOURCE_WORDS } from '@voisol/contract/money'
import { money, number } from '../../lib/format.ts'
import { periodLabel } from '../../lib/invoice-words.ts'
import { price } from '../../lib/price.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { documentKwh } from './labels.ts'
import { LineDays } from './line-days.tsx'

type Row = { id: string; at: number; line: SnapshotLine }
const soft = 'block text-[0.8125rem] text-ink-soft'
const ROLES = { cancel: 'Annulation', replace: 'Remplacement' }

const quantityOf = (line: SnapshotLine) => {
  if (line.kind === 'energy' || line.kind === 'accise') return documentKwh(line.wh)
  return line.kind === 'service' ? `${line.quantity} ${line.unit}` : '–'
}
const priceOf = (line: SnapshotLine) => {
  if (line.kind === 'energy') return price(line.price)
  if (line.kind === 'accise') return `${money(line.centsPerMwh)}/MWh`
  return line.kind === 'service' ? line.price : '–'
}

const columns: Column<Row>[] = [
  {
    header: 'Désignation',
    card: 'title',
    cell: ({ line }) => (
      <span className="block min-w-44 py-1">
        {line.role && <span className="font-medium">{ROLES[line.role]} · </span>}
        {line.label}
        <span className={soft}>
          {periodLabel(line)}
          {line.prm && <span className="tabular"> · PRM {line.prm}</span>}
        </span>
      </span>
    ),
  },
  {
    header: 'Quantité',
    card: 'primary',
    align: 'end',
    cell: ({ line }) => <span className="whitespace-nowrap">{quantityOf(line)}</span>,
  },
  {
    header: 'Prix HT',
    card: 'primary',
    align: 'end',
    cell: ({ line }) => <span className="whitespace-nowrap">{priceOf(line)}</span>,
  },
  {
    header: 'TVA',
    card: 'primary',
    align: 'end',
    cell: ({ line }) => (line.category === 'S' ? `${number(line.rate / 100)}\u00a0%` : '–'),
  },
  { header: 'Montant HT', card: 'primary', align: 'end', cell: ({ line }) => money(line.net) },
]

type LinesProps = { id: string; snapshot: InvoiceSnapshot; why: (month: string) => string }

/** The lines as printed; each line of energy opens to the days behind it. */
export function Lines({ id, snapshot, why }: LinesProps) {
  const rows = snapshot.lines.map((line, at): Row => ({ id: String(at), at, line }))
  return (
    <Table
      label="Lignes du document"
      rows={rows}
      columns={columns}
      detail={{
        label: ({ line }) => `Ouvrir ${line.label}, ${periodLabel(line)}`,
        content: ({ line, at }) => <Opened id={id} at={at} line={line} why={why} />,
      }}
    />
  )
}

function Opened({ id, at, line, why }: { id: string; at: number; line: SnapshotLine; why: LinesProps['why'] }) {
  if (line.kind === 'energy')
    return (
      <div className="grid gap-3">
        <p className="text-[0.8125rem] text-ink-soft">
          {price(line.price)} hors taxes. Source&nbsp;: {SOURCE_WORDS[line.source]}.
        </p>
        <LineDays id={id} line={at} why={why(`${line.from.slice(0, 7)}-01`)} />
      </div>
    )
  const words = {
    accise: 'L’accise porte sur les mêmes kilowattheures que la ligne qui la précède.',
    fee: 'Un frais se compte au jour\u00a0: la part de la période est la différence de deux cumuls.',
    service: 'Le prix du travail de l’organisateur.',
  }
  return <p className="text-[0.8125rem] text-ink-soft">{words[line.kind]}</p>
}
