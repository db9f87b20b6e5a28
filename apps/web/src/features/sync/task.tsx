import { useQuery, useQueryClient } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import { type SyncTask, sync } from '@voisol/contract/sync'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '../../lib/call.ts'
import { ENVIRONMENTS, SYNC_KINDS, SYNC_TRIGGERS } from '../../lib/distributor-labels.ts'
import { dateTime, plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { useObjectName } from '../../lib/subject.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { durationWords } from '../../ui/data-request/plan.ts'
import { SummaryStrip } from '../../ui/detail-screen.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { isAtWork, SyncState } from '../../ui/sync-state.tsx'
import { Results } from './task/results.tsx'
import { Windows } from './task/windows.tsx'
import { TaskActions } from './task-actions.tsx'
import { authorOf, periodOf } from './words.ts'

const POLL_MS = 1500

/** Followed until it ends; then whatever shows what came is asked again. */
function useTask(id: string) {
  const client = useQueryClient()
  const result = useQuery({
    ...query(sync.task, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isAtWork(state.data) ? POLL_MS : false),
  })
  const over = result.data && !isAtWork(result.data)
  useEffect(() => {
    if (!over) return
    for (const { path } of [sync.windows, sync.tasks, sync.standing, sync.errors, sync.errorGroups, curves.matrix])
      void client.invalidateQueries({ queryKey: [path] })
  }, [client, over])
  return result
}

const environmentOf = ({ environment }: SyncTask) =>
  environment === 'local' || environment === 'sandbox' || environment === 'production'
    ? ENVIRONMENTS[environment].label
    : environment

const factsOf = (task: SyncTask) => [
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
  { label: 'Période', value: periodOf(task) },
  { label: 'Points', value: plural(task.points, 'point') },
  { label: 'Origine', value: SYNC_TRIGGERS[task.trigger] },
  { label: 'Connexion', value: environmentOf(task) },
]

const secondsBetween = (start: string, end: string) => Math.ceil((Date.parse(end) - Date.parse(start)) / 1000)

const timesOf = (task: SyncTask) => {
  const asked = `Demandée le ${dateTime(task.createdAt)} ${authorOf(task)}`.trim()
  const { startedAt, finishedAt } = task
  return startedAt && finishedAt
    ? `${asked}, terminée en ${durationWords(secondsBetween(startedAt, finishedAt))}.`
    : `${asked}.`
}

/** Tasks of one kind follow each other: the days tell them apart. */
const nameOf = (task: SyncTask) => `${SYNC_KINDS[task.kind].label}, ${periodOf(task).toLowerCase()}`

const Unknown = () => (
  <>
    <PageHeader title="Synchronisation introuvable" />
    <EmptyState
      title="Cette synchronisation n’existe pas"
      why="L’adresse est incomplète, ou c’est celle d’une autre entreprise."
      action={<ButtonLink to="/enedis-api/sync-tasks">Voir les tâches de synchronisation</ButtonLink>}
    />
  </>
)

const AtWork = ({ task }: { task: SyncTask }) => (
  <Card>
    <Progress label={task.message || 'Synchronisation en cours'} done={task.progress / 100} />
    <p className="mt-3 text-[0.8125rem] text-ink-soft">
      Vous pouvez quitter cette page&nbsp;: la synchronisation se poursuit.
    </p>
  </Card>
)

export default function SyncTaskScreen() {
  const { id = '' } = useParams()
  const { data: task, error, refetch } = useTask(id)
  useObjectName(task && nameOf(task), 'Synchronisation')
  if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return <Unknown />
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
        title={SYNC_KINDS[task.kind].label}
        description={timesOf(task)}
        actions={<TaskActions task={task} />}
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <SummaryStrip facts={factsOf(task)} />
        {isAtWork(task) ? <AtWork task={task} /> : task.message && <p className="text-body">{task.message}</p>}
        <Results task={task} />
        <Windows task={task} />
      </div>
    </>
  )
}
