import { useQuery } from '@tanstack/react-query'
import type { BookMonthView } from '@voisol/contract/book-views'
import { books } from '@voisol/contract/books'
import Lock from 'lucide-react/icons/lock'
import { withAccess } from '../../lib/can.tsx'
import { formatCount, formatDate, formatMoney } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatMonthYear } from '../../ui/period/label.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { BookEntries } from './entries.tsx'

type BookMonthRow = BookMonthView & { id: string }
type ChangeSelection = (change: Record<string, string | undefined>) => void

const LockState = ({ locked, waits, warnings }: BookMonthRow) =>
  locked ? (
    <span className="grid justify-items-start gap-1">
      <Badge tone="success">Verrouillé</Badge>
      <span className="text-[0.8125rem] text-ink-soft">
        le {formatDate(locked.at)} par {locked.by}
      </span>
    </span>
  ) : (
    <span className="grid max-w-80 justify-items-start gap-1">
      <Badge tone={waits ? 'neutral' : 'warning'}>{waits ? 'En cours' : 'À verrouiller'}</Badge>
      {warnings.map((warning) => (
        <span key={warning} className="text-[0.8125rem] text-ink-soft">
          {warning}
        </span>
      ))}
    </span>
  )

const buildColumns = (choose: ChangeSelection): Column<BookMonthRow>[] => [
  {
    header: 'Mois',
    card: 'title',
    cell: ({ month }) => (
      <button
        type="button"
        className="font-medium text-link first-letter:uppercase"
        onClick={() => choose({ mois: month.slice(0, 7), page: undefined })}
      >
        {formatMonthYear(month)}
      </button>
    ),
  },
  { header: 'Écritures', card: 'primary', align: 'end', cell: ({ entries }) => formatCount(entries, 'écriture') },
  { header: 'Mouvements', card: 'primary', align: 'end', cell: ({ debit }) => formatMoney(debit) },
  { header: 'État', card: 'primary', cell: LockState },
]

type LockProps = { sellerId: string; month: BookMonthRow; earlier: BookMonthRow[] }
const LockMonth = withAccess(books.lock, ({ sellerId, month, earlier }: LockProps) => {
  const lock = useAction(books.lock, [books.months, books.entries, books.list, books.ties, books.balance])
  if (month.locked || month.waits) return null
  const others = earlier.length > 0 ? ` Les mois ouverts qui le précèdent le sont aussi.` : ''
  return (
    <Confirm
      tone="primary"
      title={`Verrouiller ${formatMonthYear(month.month)}`}
      description={`Ses écritures reçoivent leur numéro et ne changent plus\u00a0: ce qui arrive plus tard entre dans le mois suivant.${others}`}
      action="Verrouiller le mois"
      trigger={
        <Button
          variant="secondary"
          size="small"
          icon={<Lock aria-hidden="true" />}
          aria-label={`Verrouiller ${formatMonthYear(month.month)}`}
        >
          Verrouiller
        </Button>
      }
      onConfirm={async () => {
        const { entries } = await lock.run({ params: { sellerId }, body: { month: month.month.slice(0, 7) } })
        toast({
          title: 'Mois verrouillé',
          description: formatCount(entries, 'écriture numérotée', 'écritures numérotées'),
          variant: 'success',
        })
      }}
    />
  )
})

type Props = { sellerId: string; year: number; month: string | null; choose: ChangeSelection }

/** The months of a year, and the entries of one of them. */
export function BookMonths({ sellerId, year, month, choose }: Props) {
  const { data, error, refetch } = useQuery(query(books.months, { params: { sellerId }, query: { year } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Mois de l’exercice" />
  const rows = data.items.map((item) => ({ ...item, id: item.month }))
  const filled = rows.filter(({ entries }) => entries > 0)
  const openMonth = rows.find((row) => row.month.startsWith(month ?? '-')) ?? filled.at(-1)
  return (
    <>
      <div className="grid gap-3">
        <h2 className="text-base font-semibold tracking-[-0.01em]">Mois</h2>
        <Table
          label="Mois de l’exercice"
          rows={rows.filter(({ entries, locked }) => entries > 0 || locked)}
          columns={buildColumns(choose)}
          rowActions={(row) => (
            <LockMonth
              sellerId={sellerId}
              month={row}
              earlier={rows.filter((one) => one.month < row.month && !one.locked && one.entries > 0)}
            />
          )}
        />
        {filled.length === 0 && (
          <p className="text-body text-ink-soft">Rien n’est entré dans les livres de cet exercice.</p>
        )}
      </div>
      {openMonth && <BookEntries key={openMonth.month} sellerId={sellerId} month={openMonth.month} />}
    </>
  )
}
