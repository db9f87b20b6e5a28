import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import { type SyncTask, type SyncWindow, sync } from '@voisol/contract/sync'
import { useEffect } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { formatRequestDuration } from '../../../components/data-request/request-plan.ts'
import { SummaryStrip } from '../../../components/detail-screen.tsx'
import { FaultNote } from '../../../components/distributor-fault.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Progress } from '../../../components/progress.tsx'
import { ArchivedAnswerButton, isTaskActive, SyncState } from '../../../components/sync-status.tsx'
import type { Column } from '../../../components/table.tsx'
import { KpiTile } from '../../../components/tile.tsx'
import { ApiError } from '../../../lib/call.ts'
import {
  ENVIRONMENT_LABELS,
  SYNC_KIND_LABELS,
  SYNC_TRIGGER_LABELS,
  WINDOW_STATUS_LABELS,
} from '../../../lib/distributor-labels.ts'
import { getMeterSideLabel, toChoices } from '../../../lib/energy-labels.ts'
import { formatCount, formatDate, formatDateTime, formatNumber, formatTime } from '../../../lib/format.ts'
import { useObjectName } from '../../../lib/object-names.ts'
import { query } from '../../../lib/queries.ts'
import { capitalize, formatSubject, formatTaskAuthor, formatTaskDays, formatTaskPeriod } from './labels.ts'
import { TaskActions } from './task-actions.tsx'

const POLL_MS = 1500

/** Followed until it ends; then whatever shows what came is asked again. */
function useSyncTask(id: string) {
  const client = useQueryClient()
  const result = useQuery({
    ...query(sync.task, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isTaskActive(state.data) ? POLL_MS : false),
  })
  const isOver = result.data && !isTaskActive(result.data)
  useEffect(() => {
    if (!isOver) return
    for (const { path } of [sync.windows, sync.tasks, sync.standing, sync.errors, sync.errorGroups, curves.matrix])
      void client.invalidateQueries({ queryKey: [path] })
  }, [client, isOver])
  return result
}

const formatEnvironment = ({ environment }: SyncTask) =>
  environment === 'local' || environment === 'sandbox' || environment === 'production'
    ? ENVIRONMENT_LABELS[environment].label
    : environment

const buildTaskFacts = (task: SyncTask) => [
  { label: 'État', value: <SyncState task={task} /> },
  {
    label: 'Opération',
    value: task.operationId ? (
      <Link to={`/acc-operations/${task.operationId}?onglet=distributeur`} className="text-link">
        {task.operationName}
      </Link>
    ) : (
      'Toutes'
    ),
  },
  { label: 'Période', value: formatTaskPeriod(task) },
  { label: 'Points', value: formatCount(task.points, 'point') },
  { label: 'Origine', value: SYNC_TRIGGER_LABELS[task.trigger] },
  { label: 'Connexion', value: formatEnvironment(task) },
]

const getSecondsBetween = (start: string, end: string) => Math.ceil((Date.parse(end) - Date.parse(start)) / 1000)

const describeTimes = (task: SyncTask) => {
  const requestedText = `Demandée le ${formatDateTime(task.createdAt)} ${formatTaskAuthor(task)}`.trim()
  const { startedAt, finishedAt } = task
  return startedAt && finishedAt
    ? `${requestedText}, terminée en ${formatRequestDuration(getSecondsBetween(startedAt, finishedAt))}.`
    : `${requestedText}.`
}

/** Tasks of one kind follow each other: the days tell them apart. */
const formatTaskName = (task: SyncTask) =>
  `${SYNC_KIND_LABELS[task.kind].label}, ${formatTaskPeriod(task).toLowerCase()}`

const TaskNotFound = () => (
  <>
    <PageHeader title="Synchronisation introuvable" />
    <EmptyState
      title="Cette synchronisation n’existe pas"
      why="L’adresse est incomplète, ou c’est celle d’une autre entreprise."
      action={<ButtonLink to="/enedis-api/sync-tasks">Voir les tâches de synchronisation</ButtonLink>}
    />
  </>
)

const TaskProgress = ({ task }: { task: SyncTask }) => (
  <Card>
    <Progress label={task.message || 'Synchronisation en cours'} done={task.progress / 100} />
    <p className="mt-3 text-[0.8125rem] text-ink-soft">
      Vous pouvez quitter cette page&nbsp;: la synchronisation se poursuit.
    </p>
  </Card>
)

export default function SyncTaskScreen() {
  const { id = '' } = useParams()
  const { data: task, error, refetch } = useSyncTask(id)
  useObjectName(task && formatTaskName(task), 'Synchronisation')
  if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return <TaskNotFound />
  if (!task)
    return (
      <>
        <PageHeader title="Synchronisation" />
        {error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton className="h-96 w-full" />}
      </>
    )
  return (
    <>
      <PageHeader
        title={SYNC_KIND_LABELS[task.kind].label}
        description={describeTimes(task)}
        actions={<TaskActions task={task} />}
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <SummaryStrip facts={buildTaskFacts(task)} />
        {isTaskActive(task) ? (
          <TaskProgress task={task} />
        ) : (
          task.message && <p className="text-body">{task.message}</p>
        )}
        <TaskResults task={task} />
        <TaskCalls task={task} />
      </div>
    </>
  )
}

type Figure = { label: string; figure: string; note?: string }

const buildCallFigures = ({ counts: { windows, done, failed, calls } }: SyncTask): Figure[] => [
  {
    label: 'Demandes abouties',
    figure: `${formatNumber(done)} sur ${formatNumber(windows)}`,
    note: `${formatCount(calls, 'appel fait', 'appels faits')}, essais compris.`,
  },
  {
    label: 'Demandes en échec',
    figure: formatNumber(failed),
    note: failed > 0 ? 'Le motif est dans le tableau.' : undefined,
  },
]
const buildReadingFigures = ({ counts: { readings, newDays, changedDays, sameDays } }: SyncTask): Figure[] => [
  { label: 'Relevés reçus', figure: formatNumber(readings) },
  { label: 'Jours nouveaux', figure: formatNumber(newDays) },
  {
    label: 'Jours corrigés',
    figure: formatNumber(changedDays),
    note: changedDays > 0 ? 'L’ancienne version est gardée.' : undefined,
  },
  { label: 'Jours inchangés', figure: formatNumber(sameDays) },
]

/** What the task has brought; only readings come by days. */
const TaskResults = ({ task }: { task: SyncTask }) => (
  <section aria-label="Résultat" className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-6">
    {[
      ...buildCallFigures(task),
      ...(task.kind === 'load-curve' || task.counts.readings > 0 ? buildReadingFigures(task) : []),
    ].map((tile) => (
      <KpiTile key={tile.label} {...tile} />
    ))}
  </section>
)

const WINDOWS_POLL_MS = 2000

/** Pages and filter in the address; asked again while the task is at work. */
function useWindows(task: SyncTask) {
  const [search, setSearch] = useSearchParams()
  const parsed = sync.windows.query.safeParse(Object.fromEntries(search))
  const filters = parsed.success ? parsed.data : sync.windows.query.parse({})
  const result = useQuery({
    ...query(sync.windows, { params: { id: task.id }, query: filters }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: isTaskActive(task) ? WINDOWS_POLL_MS : false,
  })
  const setFilters = (change: Record<string, unknown>) =>
    setSearch((old) => {
      for (const [key, value] of Object.entries<unknown>({ page: 1, ...change }))
        if (value === undefined || value === '' || (key === 'page' && value === 1)) old.delete(key)
        else old.set(key, String(value))
      return old
    })
  return { ...result, filters, setFilters, items: result.data?.items ?? [], total: result.data?.total ?? 0 }
}

/** The point, or the whole agreement where a call is not about one. */
const formatCallSubject = ({ label, prm: subject, pointId }: SyncWindow) =>
  label || (pointId ? formatSubject(subject) : `Convention ${subject}`)
const formatNextAttempt = (instant: string) =>
  formatDate(instant) === formatDate(Date.now())
    ? `à\u00a0${formatTime(instant)}`
    : `${formatDate(instant)} à\u00a0${formatTime(instant)}`

const columns: Column<SyncWindow>[] = [
  {
    header: 'Point',
    card: 'title',
    sort: 'prm',
    cell: (window) => (
      <span className="block min-w-44 py-1">
        <span className="font-medium">{formatCallSubject(window)}</span>
        {window.pointId && (
          <span className="tabular block text-[0.8125rem] whitespace-nowrap text-ink-soft">
            {formatSubject(window.prm)}
            {window.direction && ` · ${getMeterSideLabel({ ...window, direction: window.direction }).toLowerCase()}`}
          </span>
        )}
      </span>
    ),
  },
  {
    header: 'Période',
    card: 'primary',
    sort: 'from',
    cell: (window) => <span className="block min-w-44">{capitalize(formatTaskDays(window))}</span>,
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'status',
    cell: ({ status }) => <Badge tone={WINDOW_STATUS_LABELS[status].tone}>{WINDOW_STATUS_LABELS[status].label}</Badge>,
  },
  {
    header: 'Prochain essai',
    card: 'primary',
    cell: ({ nextAt, status }) => (
      <span className="whitespace-nowrap">{nextAt && status === 'waiting' ? formatNextAttempt(nextAt) : '–'}</span>
    ),
  },
  { header: 'Essais', card: 'primary', align: 'end', cell: ({ attempts }) => formatNumber(attempts.length) },
  {
    header: 'Motif',
    card: 'secondary',
    cell: ({ fault }) =>
      fault ? (
        <span className="block min-w-56">
          {fault.explanation}
          <code className="block text-[0.8125rem] text-ink-soft">{fault.code}</code>
        </span>
      ) : (
        '–'
      ),
  },
]

/** The calls a task is cut into, each with its attempts. */
function TaskCalls({ task }: { task: SyncTask }) {
  const list = useWindows(task)
  return (
    <section aria-label="Demandes" className="grid gap-3 [&>*]:min-w-0">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Demandes</h2>
      <ListScreen
        list={list}
        label="Demandes de la synchronisation"
        search="Rechercher un PRM"
        columns={columns}
        filters={
          <FilterChips
            label="État"
            options={toChoices(WINDOW_STATUS_LABELS)}
            value={list.filters.status}
            onChange={(status) => list.setFilters({ status })}
          />
        }
        detail={{
          label: (window) => `Essais de ${formatCallSubject(window)}, ${formatTaskDays(window)}`,
          content: (window) => <CallAttempts window={window} />,
        }}
        empty={
          <EmptyState
            title="Aucune demande"
            why={task.message || 'Il n’y avait rien à demander au distributeur pour cette période.'}
            because="all-well"
          />
        }
      />
    </section>
  )
}

type Attempt = SyncWindow['attempts'][number]

const TIME_FORMAT = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', timeStyle: 'medium' })
/** Several tries may fall into one minute. */
const formatExactTime = (instant: string) => `${formatDate(instant)} à\u00a0${TIME_FORMAT.format(new Date(instant))}`
const formatOutcome = ({ status, code }: Attempt) =>
  [status === null ? 'Sans réponse' : `HTTP\u00a0${status}`, code].filter(Boolean).join(' · ')

const AttemptRow = ({ attempt }: { attempt: Attempt }) => (
  <li className="grid gap-x-6 gap-y-1 py-2.5 text-[0.8125rem] sm:grid-cols-[10rem_1fr_auto] sm:items-start">
    <span className="tabular whitespace-nowrap text-ink-soft">{formatExactTime(attempt.at)}</span>
    <div className="grid min-w-0 gap-0.5">
      <code className="break-all">{attempt.request}</code>
      <p className="text-ink-soft">
        <span className="font-medium text-ink">{formatOutcome(attempt)}</span>
        {` · ${formatNumber(attempt.milliseconds)}\u00a0ms`}
        {attempt.requestId && (
          <>
            {' · référence '}
            <code className="break-all">{attempt.requestId}</code>
          </>
        )}
      </p>
    </div>
    {attempt.sha256 && <ArchivedAnswerButton sha256={attempt.sha256} />}
  </li>
)

/** Each try of a call, with what is needed to speak of it with the distributor. */
const CallAttempts = ({ window: { attempts, fault } }: { window: SyncWindow }) => (
  <div className="grid gap-3">
    {fault && <FaultNote fault={fault} className="prose-width" />}
    {attempts.length === 0 ? (
      <p className="text-body text-ink-soft">Aucun essai pour l’instant.</p>
    ) : (
      <ol className="divide-y divide-line border-y border-line">
        {attempts.map((attempt) => (
          <AttemptRow key={`${attempt.at}-${attempt.requestId}`} attempt={attempt} />
        ))}
      </ol>
    )}
  </div>
)
