import { useQuery } from '@tanstack/react-query'
import { type EnedisFault, enedis } from '@voisol/contract/enedis'
import { energy } from '@voisol/contract/energy'
import { type SyncError, sync } from '@voisol/contract/sync'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { FaultNote } from '../../../components/distributor-fault.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { ExportMenu, toTableFormat } from '../../../components/export-menu.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { ArchivedAnswerButton, ResumeAllButton } from '../../../components/sync-status.tsx'
import type { Column } from '../../../components/table.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { FAULT_NATURE_LABELS } from '../../../lib/distributor-labels.ts'
import { toChoices } from '../../../lib/energy-labels.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDate, formatDateTime, formatNumber, formatRelativeTime } from '../../../lib/format.ts'
import { query, useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { formatSubject, getTaskPath, useRefetchWhileWorking } from './labels.ts'
import { FilterSelect, SyncOperationFilter } from './operation-filter.tsx'

const VIEW_PARAM = 'vue'

/** What the distributor refused or could not give: by cause first, because one cause often explains many lines. */
export default function ErrorLog() {
  const [search, setSearch] = useSearchParams()
  return (
    <>
      <PageHeader
        title="Journal d’erreurs"
        description="Ce que le distributeur a refusé ou n’a pas pu donner, et ce qu’il y a à faire."
      />
      <Tabs
        label="Vues du journal"
        value={search.get(VIEW_PARAM) === 'liste' ? 'liste' : 'causes'}
        onChange={(view) =>
          setSearch(view === 'liste' ? { [VIEW_PARAM]: 'liste', handled: 'false' } : {}, {
            replace: true,
            preventScrollReset: true,
          })
        }
        tabs={[
          { value: 'causes', label: 'Par cause', content: <ErrorGroups /> },
          { value: 'liste', label: 'Toutes les erreurs', content: <ErrorList /> },
        ]}
      />
    </>
  )
}

type ErrorGroup = { fault: EnedisFault; errors: number; points: number; lastAt: string }

const HandleAllButton = withAccess(sync.handle, ({ fault }: Pick<ErrorGroup, 'fault'>) => {
  const { handle } = useMarkErrorsHandled()
  return (
    <Confirm
      tone="primary"
      title="Tout marquer comme traité&nbsp;?"
      description={`Les erreurs de cette cause (${fault.code}) ne seront plus à traiter. Si elle se reproduit, une nouvelle ligne apparaîtra ici.`}
      action="Tout marquer comme traité"
      onConfirm={() => handle({ code: fault.code })}
      trigger={
        <Button variant="secondary" size="small" icon={<CircleCheck aria-hidden="true" />}>
          Tout marquer comme traité
        </Button>
      }
    />
  )
})

function GroupCard({ group, handled }: { group: ErrorGroup; handled: string }) {
  const { fault, errors, points, lastAt } = group
  const list = `?${new URLSearchParams({ vue: 'liste', code: fault.code, handled })}`
  return (
    <li>
      <Card>
        <div className="grid gap-4 lg:grid-cols-[1fr_auto] lg:items-start [&>*]:min-w-0">
          <FaultNote fault={{ ...fault, message: '' }} className="prose-width" />
          <div className="grid gap-3 lg:justify-items-end">
            <p className="tabular text-body lg:text-right">
              <Link to={list} className="font-medium text-link">
                {points > 0 ? formatCount(points, 'point') : 'Voir les erreurs'}
              </Link>
              {`, ${formatCount(errors, 'erreur')}`}
              <time dateTime={lastAt} title={formatDateTime(lastAt)} className="block text-[0.8125rem] text-ink-soft">
                La dernière {formatRelativeTime(lastAt)}
              </time>
            </p>
            {handled === 'false' && (
              <div className="flex flex-wrap gap-2 lg:justify-end">
                {fault.nature === 'consent' && points > 1 && <ResumeAllButton />}
                <HandleAllButton fault={fault} />
              </div>
            )}
          </div>
        </div>
      </Card>
    </li>
  )
}

const NoErrors = ({ handled }: { handled: string }) =>
  handled === 'false' ? (
    <EmptyState
      title="Aucune erreur à traiter"
      why="Tout ce qui a été demandé au distributeur a été reçu, ou sera redemandé de lui-même."
      because="all-well"
    />
  ) : (
    <EmptyState
      title="Aucune erreur traitée"
      why="Les erreurs que vous marquez comme traitées restent ici."
      because="comes-by-itself"
    />
  )

function ErrorGroupList({ handled }: { handled: 'true' | 'false' }) {
  const { data, error, refetch } = useQuery({ ...query(sync.errorGroups, { query: { handled } }), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  if (data.items.length === 0) return <NoErrors handled={handled} />
  return (
    <ul className="grid gap-4" aria-label="Causes">
      {data.items.map((group) => (
        <GroupCard key={group.fault.code} group={group} handled={handled} />
      ))}
    </ul>
  )
}

/** One card per cause: what it means, what to do, how many points it holds up. */
function ErrorGroups() {
  const [search, setSearch] = useSearchParams()
  const handled = search.get('handled') === 'true' ? 'true' : 'false'
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <FilterChips
        label="État"
        options={HANDLED_OPTIONS}
        value={handled}
        onChange={(next) => setSearch(next === 'true' ? { handled: next } : {}, { replace: true })}
      />
      <ErrorGroupList handled={handled} />
    </div>
  )
}

const toFlag = (value: boolean | undefined): 'true' | 'false' | undefined =>
  value === undefined ? undefined : value ? 'true' : 'false'

function CodeFilter({ value, onChange }: { value: string | undefined; onChange: (code: string) => void }) {
  const { data } = useQuery(query(sync.errorGroups, { query: {} }))
  const codes = new Set([...(value ? [value] : []), ...(data?.items.map(({ fault }) => fault.code) ?? [])])
  const options = [...codes].sort().map((code) => ({ value: code, label: code }))
  return <FilterSelect label="Code" all="Tous les codes" options={options} value={value} onChange={onChange} />
}

type ErrorListState = ReturnType<typeof useErrors>
const useErrors = () => useList(sync.errors)

const ErrorFilters = ({ list: { filters, setFilters } }: { list: ErrorListState }) => (
  <>
    <SyncOperationFilter value={filters.operationId} onChange={(operationId) => setFilters({ operationId })} />
    <FilterSelect
      label="Nature"
      all="Toutes les natures"
      options={toChoices(FAULT_NATURE_LABELS)}
      value={filters.nature}
      onChange={(nature) => setFilters({ nature })}
    />
    <CodeFilter value={filters.code} onChange={(code) => setFilters({ code })} />
    <FilterChips
      label="État"
      options={HANDLED_OPTIONS}
      value={toFlag(filters.handled)}
      onChange={(handled) => setFilters({ handled })}
    />
  </>
)

/** What is marked is what is still open among the chosen lines. */
function HandleSelectedButton({ rows, onDone }: { rows: SyncError[]; onDone: () => void }) {
  const { handle, isPending } = useMarkErrorsHandled()
  const open = rows.filter(({ handledAt }) => !handledAt).map(({ id }) => id)
  const markHandled = () =>
    handle({ ids: open }).then(onDone, (error: unknown) =>
      toast({ title: 'Marquage impossible', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button
      size="small"
      icon={<CircleCheck aria-hidden="true" />}
      loading={isPending}
      disabled={open.length === 0}
      onClick={() => void markHandled()}
    >
      Marquer comme traité
    </Button>
  )
}

/** Every line, to search, to choose among and to take away. */
function ErrorList() {
  const list = useErrors()
  const canHandle = useCan()(sync.handle)
  useRefetchWhileWorking(false, list.refetch)
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const chosen = list.items.filter(({ id }) => ids.has(id))
  return (
    <ListScreen
      list={list}
      label="Erreurs du distributeur"
      search="Rechercher un PRM, un code"
      columns={syncErrorColumns}
      filters={<ErrorFilters list={list} />}
      exports={
        <ExportMenu
          endpoint={sync.exportErrors}
          input={(format) => ({
            query: { ...list.filters, handled: toFlag(list.filters.handled), format: toTableFormat(format) },
          })}
        />
      }
      selection={
        canHandle
          ? {
              ids: new Set(chosen.map(({ id }) => id)),
              onChange: setIds,
              label: ({ fault, prm: digits }) => `${fault.code} ${formatSubject(digits)}`.trim(),
              actions: <HandleSelectedButton rows={chosen} onDone={() => setIds(new Set())} />,
            }
          : undefined
      }
      empty={
        <EmptyState
          title="Aucune erreur"
          why="Tout ce qui a été demandé au distributeur a été reçu jusqu’ici."
          because="all-well"
        />
      }
    />
  )
}

const SoftText = ({ children }: { children: string }) => (
  <span className="block text-[0.8125rem] text-ink-soft">{children}</span>
)

const RequestReference = ({ requestId }: Pick<SyncError, 'requestId'>) => (
  <p className="mt-1 pl-3.5 text-[0.8125rem] text-ink-soft">
    Référence <code className="break-all">{requestId}</code>
  </p>
)

/** Two links under one another, each large enough for a finger. */
const linkClass = 'my-0.5 min-h-5 justify-self-start text-[0.8125rem] text-link'

const ErrorLocation = ({ prm, label, operationId, operationName, taskId }: SyncError) => (
  <span className="grid min-w-40">
    {label && <span className="font-medium">{label}</span>}
    <span className={cx('tabular break-words', label ? 'text-[0.8125rem] text-ink-soft' : 'font-medium')}>
      {prm ? formatSubject(prm) : '–'}
    </span>
    {operationId && (
      <Link to={`/acc-operations/${operationId}?onglet=distributeur`} className={linkClass}>
        {operationName}
      </Link>
    )}
    {taskId && (
      <Link to={getTaskPath(taskId)} className={linkClass}>
        Voir la tâche
      </Link>
    )}
  </span>
)

const syncErrorColumns: Column<SyncError>[] = [
  {
    header: 'Erreur',
    card: 'title',
    sort: 'code',
    cell: ({ fault, requestId, sha256 }) => (
      <div className="grid min-w-72 max-w-2xl py-2.5 sm:min-w-96">
        <FaultNote fault={fault} />
        {requestId && <RequestReference requestId={requestId} />}
        {sha256 && <ArchivedAnswerButton sha256={sha256} />}
      </div>
    ),
  },
  { header: 'Point', card: 'secondary', sort: 'prm', cell: (error) => <ErrorLocation {...error} /> },
  {
    header: 'Dernière fois',
    card: 'primary',
    sort: 'lastAt',
    cell: ({ at, lastAt, times }) => (
      <span className="block whitespace-nowrap">
        {formatDateTime(lastAt)}
        <SoftText>{times > 1 ? `${formatNumber(times)}\u00a0fois depuis le ${formatDate(at)}` : 'une fois'}</SoftText>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ handledAt, handledBy }) =>
      handledAt ? (
        <span className="grid gap-1 whitespace-nowrap">
          <span>
            <Badge tone="success">Traitée</Badge>
          </span>
          <SoftText>{`le ${formatDate(handledAt)}${handledBy ? ` par ${handledBy}` : ''}`}</SoftText>
        </span>
      ) : (
        <Badge tone="warning">À traiter</Badge>
      ),
  },
]

const HANDLED_OPTIONS = [
  { value: 'false', label: 'À traiter' },
  { value: 'true', label: 'Traitées' },
]

/** Marks lines, or a whole cause, and says how many it were. */
function useMarkErrorsHandled() {
  const { run, isPending } = useAction(sync.handle, [sync.errors, sync.errorGroups, enedis.overview, energy.attention])
  const handle = async (body: { ids?: string[]; code?: string }) => {
    const { count } = await run({ body })
    toast({
      title: formatCount(count, 'erreur marquée comme traitée', 'erreurs marquées comme traitées'),
      variant: 'success',
    })
  }
  return { handle, isPending }
}
