import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BookEntryView, BookMonthView } from '@voisol/contract/book-views'
import { books } from '@voisol/contract/books'
import { withDe } from '@voisol/contract/elision'
import Lock from 'lucide-react/icons/lock'
import { Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips, SearchBox } from '../../../components/filter-bar.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import { Pagination } from '../../../components/pagination.tsx'
import { formatMonthYear } from '../../../components/period/period-labels.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDate, formatMoney, formatNumber } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { EntryComments } from './comments.tsx'

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

const sumDebits = ({ lines }: BookEntryView) => lines.reduce((sum, { debit }) => sum + debit, 0)
const JOURNAL_OPTIONS = [
  { value: 'opening', label: 'À-nouveaux' },
  { value: 'sales', label: 'Ventes' },
  { value: 'bank', label: 'Banque' },
  { value: 'misc', label: 'Opérations diverses' },
]
const parseJournal = (text: string | undefined) =>
  (['opening', 'sales', 'bank', 'misc'] as const).find((one) => one === text)

const columns: Column<BookEntryView>[] = [
  { header: 'Date', card: 'primary', cell: ({ day }) => formatDate(day) },
  {
    header: 'Journal',
    card: 'primary',
    cell: ({ journalCode, number: at }) => (
      <span className="tabular whitespace-nowrap">
        {journalCode} {at === null ? '–' : formatNumber(at)}
      </span>
    ),
  },
  {
    header: 'Pièce',
    card: 'secondary',
    cell: ({ pieceRef, pieceDay, day }) => (
      <span className="block min-w-28">
        <span className="tabular">{pieceRef}</span>
        {pieceDay !== day && <span className="block text-[0.8125rem] text-ink-soft">du {formatDate(pieceDay)}</span>}
      </span>
    ),
  },
  {
    header: 'Libellé',
    card: 'title',
    cell: ({ label, asked, notes }) => (
      <span className="flex flex-wrap items-center gap-2">
        {label}
        {notes > 0 && <Badge tone={asked ? 'warning' : 'neutral'}>{asked ? 'Question' : 'Échange'}</Badge>}
      </span>
    ),
  },
  { header: 'Montant', card: 'primary', align: 'end', cell: (entry) => formatMoney(sumDebits(entry)) },
]

const PAGE_SIZE = 50

/** The entries of a month, each opening to its lines and to what was asked of it. */
function BookEntries({ sellerId, month }: { sellerId: string; month: string }) {
  const [journal, setJournal] = useState<string>()
  const [q, setQ] = useState('')
  const [typing, setTyping] = useState(false)
  const [page, setPage] = useState(1)
  const chosen = parseJournal(journal)
  const entryQuery = {
    month: month.slice(0, 7),
    page,
    size: PAGE_SIZE,
    ...(chosen && { journal: chosen }),
    ...(q && { q }),
  }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...query(books.entries, { params: { sellerId }, query: entryQuery }),
    placeholderData: keepPreviousData,
  })
  const label = `Écritures ${withDe(formatMonthYear(month))}`
  return (
    <div className="grid gap-3">
      <h2 className="text-base font-semibold tracking-[-0.01em]">{label}</h2>
      <div className="flex flex-wrap items-center gap-3">
        <SearchBox
          label="Rechercher un compte, un tiers, une pièce, un montant"
          value={q}
          onType={() => setTyping(true)}
          onSearch={(text) => {
            setTyping(false)
            setQ(text)
            setPage(1)
          }}
          className="w-full sm:w-96"
        />
        <FilterChips
          label="Journal"
          options={JOURNAL_OPTIONS}
          value={journal}
          onChange={(next) => {
            setJournal(next)
            setPage(1)
          }}
        />
      </div>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <TableSkeleton label={label} />
      ) : data.total === 0 ? (
        <p className="text-body text-ink-soft">Aucune écriture ne correspond à ces critères.</p>
      ) : (
        // What is about to be replaced cannot be opened: it would close under the hand.
        <div
          inert={typing || isPlaceholderData}
          className="grid gap-3 transition-opacity duration-150 inert:opacity-60"
        >
          <Table
            label={label}
            rows={data.items}
            columns={columns}
            detail={{
              label: (entry) => `Ouvrir l’écriture ${entry.label}`,
              content: (entry) => <BookEntryPanel sellerId={sellerId} entry={entry} />,
            }}
          />
          {data.total > PAGE_SIZE && (
            <Pagination label={label} page={page} size={PAGE_SIZE} total={data.total} onPage={setPage} />
          )}
        </div>
      )}
    </div>
  )
}

const DoubtDialog = lazy(() => import('./doubtful-debt-dialog.tsx'))

type EntryLine = BookEntryView['lines'][number] & { id: string }
const formatAmount = (cents: number) => (cents === 0 ? '' : formatMoney(cents))
const entryDetailColumns: Column<EntryLine>[] = [
  { header: 'Compte', card: 'title', cell: ({ account }) => <span className="tabular font-medium">{account}</span> },
  {
    header: 'Intitulé',
    card: 'secondary',
    cell: ({ accountLabel, auxLabel }) => (auxLabel ? `${accountLabel}, ${auxLabel}` : accountLabel),
  },
  { header: 'Débit', card: 'primary', align: 'end', cell: ({ debit }) => formatAmount(debit) },
  { header: 'Crédit', card: 'primary', align: 'end', cell: ({ credit }) => formatAmount(credit) },
  { header: 'Lettrage', card: 'primary', cell: ({ letter }) => letter || '–' },
]

type EntriesProps = { sellerId: string; entry: BookEntryView }
const DeclareDoubtButton = withAccess(
  books.addDoubt,
  ({ sellerId, invoiceId }: { sellerId: string; invoiceId: string }) => {
    const [open, setOpen] = useState(false)
    return (
      <>
        <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
          Déclarer la créance douteuse
        </Button>
        <Suspense fallback={null}>
          {open && <DoubtDialog sellerId={sellerId} invoiceId={invoiceId} onClose={() => setOpen(false)} />}
        </Suspense>
      </>
    )
  },
)

/** The lines of an entry, the document behind it, and what was asked and answered about it. */
const BookEntryPanel = ({ sellerId, entry }: EntriesProps) => (
  <div className="grid max-w-4xl gap-4 [&>*]:min-w-0">
    <Table
      label={`Lignes de ${entry.label}`}
      rows={entry.lines.map((line, at) => ({ ...line, id: String(at) }))}
      columns={entryDetailColumns}
    />
    {entry.invoiceId && (
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={`/invoice/${entry.invoiceId}`} variant="secondary" size="small">
          Ouvrir le document
        </ButtonLink>
        {entry.journal === 'sales' && <DeclareDoubtButton sellerId={sellerId} invoiceId={entry.invoiceId} />}
      </div>
    )}
    <EntryComments sellerId={sellerId} source={entry.id} />
  </div>
)
