import { useQuery } from '@tanstack/react-query'
import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import type { LineDay, LineStep } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import { ENERGY_SOURCE_LABELS } from '@voisol/contract/money'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { cx } from '../../../components/cx.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { formatInvoicePeriod } from '../../../lib/billing-labels.ts'
import { ALLOCATION_METHOD_LABELS } from '../../../lib/energy-labels.ts'
import { formatMoney, formatNumber, formatTime } from '../../../lib/format.ts'
import { formatPrice } from '../../../lib/price.ts'
import { query } from '../../../lib/queries.ts'
import { formatDocumentKwh } from './labels.ts'

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

const DAY_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const formatDay = (day: string) => DAY_FORMAT.format(new Date(`${day}T12:00:00Z`))

type DayTotals = { day: string; wh: number; amount: number; from: string[] }

/** A day is one row, whatever the roofs and hours it came from: whole figures, so that sums stay sums. */
function groupPartsByDay(parts: readonly LineDay[]): DayTotals[] {
  return [...Map.groupBy(parts, ({ day }) => day)].map(([day, own]) => ({
    day,
    wh: own.reduce((sum, { wh }) => sum + wh, 0),
    amount: own.reduce((sum, { amount }) => sum + amount, 0),
    from: [...new Set(own.map(({ producer, timeClass }) => [producer, timeClass].filter(Boolean).join(' · ')))],
  }))
}

type RowProps = { id: string; line: number; row: DayTotals; most: number }

/** Of parts of a line, in 1/10 000 €: a day is often less than a cent. */
const formatPreciseMoney = (tenThousandths: number) => `${formatNumber(tenThousandths / 10_000, 4)}\u00a0€`

function DayRow({ id, line, row, most }: RowProps) {
  const [open, setOpen] = useState(false)
  return (
    <li className="border-t border-line first:border-t-0">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="grid min-h-9 w-full grid-cols-[5.5rem_minmax(0,1fr)_auto_1rem] items-center gap-x-3 py-1 text-left hover:bg-page sm:grid-cols-[6.5rem_minmax(0,1fr)_7rem_6rem_1rem]"
      >
        <span>{formatDay(row.day)}</span>
        <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-slate-100">
          <span
            className="block h-full rounded-full bg-local"
            style={{ width: `${(Math.abs(row.wh) / most) * 100}%` }}
          />
        </span>
        <span className="tabular text-right sm:contents">
          <span className="block sm:text-right">{formatDocumentKwh(row.wh)}</span>
          <span className="block text-ink-soft sm:text-right sm:text-ink">{formatPreciseMoney(row.amount)}</span>
        </span>
        <ChevronDown aria-hidden="true" className={cx('size-4 text-ink-soft', open && 'rotate-180')} />
      </button>
      {open && <LineSteps id={id} line={line} day={row.day} from={row.from} />}
    </li>
  )
}

type LineDaysProps = { id: string; line: number; why: string }

/** The days a line is made of, from the computation that was kept; each opens to its quarter hours. */
function LineDays({ id, line, why }: LineDaysProps) {
  const { data, error, refetch } = useQuery(query(invoices.lineDays, { params: { id, line } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-24 w-full" />
  if (data.items.length === 0)
    return <p className="text-[0.8125rem] text-ink-soft">Le détail par jour de cette ligne n’a pas été gardé.</p>
  const days = groupPartsByDay(data.items)
  const maxWh = Math.max(1, ...days.map(({ wh }) => Math.abs(wh)))
  return (
    <div className="grid gap-3 text-[0.8125rem]">
      <ul aria-label="Jours de la ligne">
        {days.map((row) => (
          <DayRow key={row.day} id={id} line={line} row={row} most={maxWh} />
        ))}
      </ul>
      <p className="text-ink-soft">
        Ces jours font ensemble exactement la ligne, en kWh comme en euros hors taxes&nbsp;: l’arrondi est celui de la
        ligne, réparti entre eux.{' '}
        <Link to={why} className="text-link">
          Pourquoi ce chiffre&nbsp;?
        </Link>
      </p>
    </div>
  )
}

const MINUTE_MS = 60_000
const isMethod = (name: string): name is keyof typeof ALLOCATION_METHOD_LABELS =>
  Object.hasOwn(ALLOCATION_METHOD_LABELS, name)

const cellClass = 'tabular py-1 pl-3 text-right whitespace-nowrap'

function StepTable({ items, minutes }: { items: LineStep[]; minutes: number }) {
  const hasSeveralProducers = new Set(items.flatMap(({ producers }) => producers)).size > 1
  return (
    <table className="w-full">
      <caption className="sr-only">Quarts d’heure du jour</caption>
      <thead>
        <tr className="text-ink-soft">
          <th scope="col" className="py-1 text-left font-normal">
            Heure
          </th>
          <th scope="col" className="py-1 pl-3 text-right font-normal">
            Consommé
          </th>
          <th scope="col" className="py-1 pl-3 text-right font-normal">
            Local
          </th>
          <th scope="col" className="py-1 pl-3 text-right font-normal">
            HT
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ start, drawnWh, wh, amount, producers }) => (
          <tr key={start} className="border-t border-line">
            <th scope="row" className="py-1 text-left font-normal">
              <span className="tabular whitespace-nowrap">
                {formatTime(start)} – {formatTime(Date.parse(start) + minutes * MINUTE_MS)}
              </span>
              {hasSeveralProducers && <span className="block text-ink-soft">{producers.join(', ')}</span>}
            </th>
            <td className={cellClass}>{drawnWh === null ? 'inconnu' : formatDocumentKwh(drawnWh)}</td>
            <td className={cellClass}>{formatDocumentKwh(wh)}</td>
            <td className={cellClass}>{formatPreciseMoney(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type LineStepsProps = { id: string; line: number; day: string; from: string[] }

/** A day of a line by its steps: what the meter drew, what the key gave it, and what that costs. */
function LineSteps({ id, line, day, from }: LineStepsProps) {
  const { data, error, refetch } = useQuery(query(invoices.lineSteps, { params: { id, line, day } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="my-2 h-24 w-full" />
  const { items, minutes, key, wh, amount } = data
  const method = key && isMethod(key.method) ? ALLOCATION_METHOD_LABELS[key.method].label : ''
  return (
    <div className="mb-3 grid gap-2 rounded-control bg-page p-3">
      <p className="text-ink-soft">
        {from.join(', ')}
        {key && `. Clé n°\u00a0${key.number}${method && `, ${method.toLowerCase()}`}`}. Ce jour fait{' '}
        {formatDocumentKwh(wh)} et {formatPreciseMoney(amount)} hors taxes.
      </p>
      {items.length > 0 ? (
        <StepTable items={items} minutes={minutes} />
      ) : (
        <p>Le calcul qui a donné ce jour n’est plus gardé&nbsp;: ses quarts d’heure ne peuvent pas être montrés.</p>
      )}
    </div>
  )
}
