import { useQuery, useQueryClient } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import { type SyncTask, sync } from '@voisol/contract/sync'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '../../lib/call.ts'
import { ENVIRONMENT_LABELS, SYNC_KIND_LABELS, SYNC_TRIGGER_LABELS } from '../../lib/distributor-labels.ts'
import { formatCount, formatDateTime } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { useObjectName } from '../../lib/subject.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { formatRequestDuration } from '../../ui/data-request/plan.ts'
import { SummaryStrip } from '../../ui/detail-screen.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { isTaskActive, SyncState } from '../../ui/sync-state.tsx'
import { TaskResults } from './task/results.tsx'
import { TaskCalls } from './task/windows.tsx'
import { TaskActions } from './task-actions.tsx'
import { formatTaskAuthor, formatTaskPeriod } from './words.ts'

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
