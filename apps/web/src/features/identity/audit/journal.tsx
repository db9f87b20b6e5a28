import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type AuditCheck, AuditQuery, audit, type ListedEntry } from '@voisol/contract/audit'
import { Day } from '@voisol/contract/primitives'
import ShieldAlert from 'lucide-react/icons/shield-alert'
import ShieldCheck from 'lucide-react/icons/shield-check'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { DateInput } from '../../../components/date-input.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { ExportMenu } from '../../../components/export-menu.tsx'
import { FilterChips, SearchBox } from '../../../components/filter-bar.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { call } from '../../../lib/call.ts'
import { formatCount, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { AuditEntryDetail, AuditObject } from './audit-entry.tsx'

const PAGE_SIZE = 50
const OUTCOME_OPTIONS = [
  { value: 'done', label: 'Fait' },
  { value: 'refused', label: 'Refusé' },
]
const EXPORT_FORMATS = { csv: 'CSV (tableur)', jsonl: 'JSON, une ligne par action', syslog: 'Syslog RFC 5424 (SIEM)' }
/** Filters that come from an entry: each is said, and taken away by itself. */
const ENTRY_FILTER_LABELS = {
  userId: 'Une personne',
  keyId: 'Une clé d’API',
  target: 'Un objet',
  action: 'Une action',
} as const

const columns: Column<ListedEntry>[] = [
  {
    header: 'Quand',
    card: 'primary',
    cell: ({ at }) => <span className="whitespace-nowrap sm:max-lg:whitespace-normal">{formatDateTime(at)}</span>,
  },
  {
    header: 'Qui',
    card: 'primary',
    cell: ({ actorName }) => <span className="wrap-anywhere block min-w-28">{actorName}</span>,
  },
  { header: 'Action', card: 'title', cell: ({ label }) => <span className="block min-w-32 font-medium">{label}</span> },
  { header: 'Objet', card: 'secondary', cell: (entry) => <AuditObject entry={entry} /> },
  {
    header: 'Résultat',
    card: 'primary',
    cell: ({ outcome }) =>
      outcome === 'done' ? <Badge tone="success">Fait</Badge> : <Badge tone="danger">Refusé</Badge>,
  },
]

type AuditFilters = Omit<z.input<typeof AuditQuery>, 'page' | 'size' | 'sort' | 'before'>
type AuditPage = { items: ListedEntry[]; total: number; next: string | null }

function useAuditFilters() {
  const [search, setSearch] = useSearchParams()
  const parsed = AuditQuery.safeParse(Object.fromEntries(search)).data
  const { page: _, size: _size, sort: _sort, before: _before, ...filters } = parsed ?? AuditQuery.parse({})
  const change = (next: AuditFilters) =>
    setSearch((old) => {
      for (const [name, value] of Object.entries(next)) value ? old.set(name, String(value)) : old.delete(name)
      return old
    })
  return { filters: filters as AuditFilters, change, clear: () => setSearch({}) } // what a query may say, without where it stands
}

const useAuditEntries = (filters: AuditFilters) =>
  useInfiniteQuery<AuditPage, Error, InfiniteData<AuditPage>, [string, AuditFilters], string | undefined>({
    queryKey: [audit.list.path, filters],
    queryFn: ({ pageParam }) =>
      call(audit.list, { query: { ...filters, size: PAGE_SIZE, ...(pageParam && { before: pageParam }) } }),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  })

function AuditToolbar({ filters, change }: ReturnType<typeof useAuditFilters>) {
  const narrowed = Object.entries(ENTRY_FILTER_LABELS).filter(
    ([name]) => filters[name as keyof typeof ENTRY_FILTER_LABELS],
  ) // keys of the table
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-3">
      <SearchBox
        label="Rechercher une personne, une action, un objet"
        value={filters.q ?? ''}
        onSearch={(q) => change({ q })}
        className="w-full sm:w-80"
      />
      <DayFilter label="Du" value={filters.from ?? ''} onChange={(from) => change({ from })} />
      <DayFilter label="Au" value={filters.until ?? ''} onChange={(until) => change({ until })} />
      <FilterChips
        label="Résultat"
        options={OUTCOME_OPTIONS}
        value={filters.outcome}
        onChange={(outcome) =>
          change({ outcome: OUTCOME_OPTIONS.find(({ value }) => value === outcome)?.value as AuditFilters['outcome'] })
        }
      />
      {narrowed.map(([name, label]) => (
        <Button
          key={name}
          variant="secondary"
          size="small"
          icon={<X aria-hidden="true" />}
          aria-label={`Retirer le filtre\u00a0: ${label}`}
          onClick={() => change({ [name]: '' })}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}

function AuditEntries({ filters, change, clear }: ReturnType<typeof useAuditFilters>) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAuditEntries(filters)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Journal d’audit" />
  const rows = data.pages.flatMap(({ items }) => items)
  const total = data.pages[0]?.total ?? 0
  if (rows.length === 0)
    return (
      <EmptyState
        title="Aucune ligne"
        why="Aucune ligne du journal ne correspond à cette recherche."
        action={
          <Button variant="secondary" onClick={clear}>
            Effacer les filtres
          </Button>
        }
      />
    )
  return (
    <>
      <Table
        label="Journal d’audit"
        rows={rows}
        columns={columns}
        detail={{
          label: ({ label, id }) => `Détail de la ligne ${id}\u00a0: ${label}`,
          content: ({ id }) => <AuditEntryDetail id={id} narrow={change} />,
        }}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="tabular text-body text-ink-soft">
          {formatNumber(rows.length)} sur {total > 10_000 ? `plus de ${formatNumber(10_000)}` : formatNumber(total)}
        </p>
        {hasNextPage && (
          <Button variant="secondary" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Voir les plus anciennes
          </Button>
        )}
      </div>
    </>
  )
}

/** Who did what to what, and whether the journal still says what it said. */
export default function AuditJournal() {
  const state = useAuditFilters()
  return (
    <>
      <PageHeader
        title="Journaux d’audit"
        description="Qui a fait quoi, à quoi, depuis où, avec ce qui a changé. Rien n’y est modifié ni effacé."
        actions={
          <ExportMenu
            endpoint={audit.export}
            formats={EXPORT_FORMATS}
            input={(format) => ({ query: { ...state.filters, format: format as keyof typeof EXPORT_FORMATS } })} // one of its keys
          />
        }
      />
      <AuditVerification />
      <div className="grid gap-4 [&>*]:min-w-0">
        <AuditToolbar {...state} />
        <AuditEntries {...state} />
      </div>
    </>
  )
}

type Props = { label: string; value: string; onChange: (day: string) => void }

/** A day of a filter: what is not yet one stays in the field. */
function DayFilter({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState(value)
  return (
    <div className="flex items-center gap-2 text-body">
      <span aria-hidden="true" className="min-w-6 text-ink-soft">
        {label}
      </span>
      <DateInput
        aria-label={label}
        value={typed}
        onValue={(next) => {
          setTyped(next)
          if (next === '' || Day.safeParse(next).success) onChange(next)
        }}
      />
    </div>
  )
}

const POLL_MS = 1500

function describeVerification(check: AuditCheck): string {
  if (check.state === 'never')
    return 'Chaque ligne porte l’empreinte signée de la précédente. La vérification relit toute la chaîne.'
  if (check.state === 'running') return 'Vérification en cours\u00a0: vous pouvez continuer, le résultat restera ici.'
  const when = check.finishedAt ? formatDateTime(check.finishedAt) : ''
  if (!check.broken)
    return `${formatCount(check.links, 'maillon relu', 'maillons relus')} le ${when}\u00a0: la chaîne est entière.`
  const { seq, explanation, sheet } = check.broken
  const outside = sheet ? ` (d’après ${sheet}, gardé hors de la base)` : ''
  return `Premier maillon rompu\u00a0: le n°\u00a0${seq}, ${explanation}${outside}. Vérifié le ${when}. Prévenez l’exploitant\u00a0: la suite du journal ne fait plus foi.`
}

/** Whether the chain holds, as the last walk along it found. */
function AuditVerification() {
  const { data, error, refetch } = useQuery({
    ...query(audit.verification, {}),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_MS : false),
  })
  const verify = useAction(audit.verify, [audit.verification])
  if (error && !data)
    return (
      <section aria-label="Intégrité du journal" className={cx(cardClass, 'mb-4')}>
        <ErrorState error={error} title="L’état de la chaîne n’a pas pu être lu" onRetry={refetch} />
      </section>
    )
  if (!data) return null
  const broken = data.state === 'broken'
  const Icon = broken ? ShieldAlert : ShieldCheck
  return (
    <section
      aria-label="Intégrité du journal"
      className={cx(cardClass, 'mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 p-4', broken && 'border-danger')}
    >
      <Icon aria-hidden="true" className={cx('size-6 shrink-0', broken ? 'text-danger' : 'text-success')} />
      <p role="status" className={cx('min-w-0 flex-1 basis-64 text-body', broken && 'font-medium text-danger')}>
        {describeVerification(data)}
      </p>
      <Button
        variant="secondary"
        size="small"
        loading={verify.isPending || data.state === 'running'}
        onClick={() => void verify.run({})}
      >
        Vérifier la chaîne
      </Button>
    </section>
  )
}
