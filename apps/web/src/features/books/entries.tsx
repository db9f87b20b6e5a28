import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BookEntryView } from '@voisol/contract/book-views'
import { books } from '@voisol/contract/books'
import { withDe } from '@voisol/contract/elision'
import { useState } from 'react'
import { formatDate, formatMoney, formatNumber } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { formatMonthYear } from '../../ui/period/label.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { BookEntryPanel } from './entry-detail.tsx'

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
export function BookEntries({ sellerId, month }: { sellerId: string; month: string }) {
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
