import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SyncTask, sync } from '@voisol/contract/sync'
import { addDays, daysBetween } from '@voisol/energy/calendar'
import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useState } from 'react'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Dialog, DialogClose } from '../../../../components/dialog.tsx'
import { IconButton } from '../../../../components/icon-button.tsx'
import { Link } from '../../../../components/link.tsx'
import { formatDayRange } from '../../../../components/period/period-labels.ts'
import { Progress } from '../../../../components/progress.tsx'
import { getErrorReason } from '../../../../lib/call.ts'
import { withAccess } from '../../../../lib/can.tsx'
import { ENVIRONMENT_LABELS } from '../../../../lib/distributor-labels.ts'
import { formatCount, formatNumber } from '../../../../lib/format.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { refreshReadings } from '../queries.ts'

const VISIBLE_PERIODS = 6

const formatApproximateDuration = (seconds: number) =>
  seconds < 60 ? 'moins d’une minute' : `environ ${formatCount(Math.ceil(seconds / 60), 'minute')}`

const SummaryLine = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line py-2.5 first:border-t-0">
    <dt className="text-ink-soft">{label}</dt>
    <dd className="tabular text-right font-medium">{children}</dd>
  </div>
)

const RequestPeriods = ({ requests }: { requests: DayRequest[] }) => (
  <ul className="grid gap-0.5 font-normal">
    {requests.slice(0, VISIBLE_PERIODS).map(({ from, to, pointIds }) => (
      <li key={from}>
        {formatDayRange(from, addDays(to, -1))}
        {requests.length > 1 && ` · ${formatCount(pointIds.length, 'point')}`}
      </li>
    ))}
    {requests.length > VISIBLE_PERIODS && (
      <li className="text-ink-soft">
        et {formatCount(requests.length - VISIBLE_PERIODS, 'autre période', 'autres périodes')}
      </li>
    )}
  </ul>
)

/** Through which connection, and for whom it will not be tried: calls are stopped there. */
function RequestConnection({ operationId, requests }: { operationId: string; requests: DayRequest[] }) {
  const { data } = useQuery({ ...query(sync.standing, { params: { id: operationId } }), staleTime: 0 })
  const requestedPointIds = new Set(requests.flatMap(({ pointIds }) => pointIds))
  const blocked =
    data?.points.filter(({ pointId, blockedAt }) => blockedAt !== null && requestedPointIds.has(pointId)) ?? []
  return (
    <>
      {data?.environment && (
        <SummaryLine label="Connexion">
          <Badge tone={ENVIRONMENT_LABELS[data.environment].tone}>{ENVIRONMENT_LABELS[data.environment].label}</Badge>
        </SummaryLine>
      )}
      {blocked.length > 0 && (
        <SummaryLine label="Appels arrêtés">
          <Badge tone="warning">
            {blocked.length === 1
              ? '1\u00a0point ne répondra pas'
              : `${formatNumber(blocked.length)} points ne répondront pas`}
          </Badge>
        </SummaryLine>
      )}
    </>
  )
}

type Props = { operationId: string; wanted: RequestedDay[]; onSend: (requests: DayRequest[]) => Promise<void> }

function RequestContent({ operationId, wanted, onSend, onClose }: Props & { onClose: () => void }) {
  const requests = planRequests(wanted)
  const { calls, points, seconds } = estimateRequestCost(requests)
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState('')
  const send = async () => {
    setSending(true)
    setProblem('')
    try {
      await onSend(requests)
      onClose()
    } catch (error) {
      setProblem(getErrorReason(error))
      setSending(false)
    }
  }
  return (
    <>
      <dl className="rounded-card border border-line px-4 text-body">
        <SummaryLine label="Points">{formatNumber(points)}</SummaryLine>
        <SummaryLine label="Journées choisies">{formatNumber(wanted.length)}</SummaryLine>
        <SummaryLine label={requests.length > 1 ? `${formatNumber(requests.length)} périodes` : 'Période'}>
          <RequestPeriods requests={requests} />
        </SummaryLine>
        <SummaryLine label="Appels au distributeur">
          {formatNumber(calls)}{' '}
          <span className="font-normal text-ink-soft">({formatApproximateDuration(seconds)})</span>
        </SummaryLine>
        <RequestConnection operationId={operationId} requests={requests} />
      </dl>
      <p className="mt-4 text-body text-ink-soft">
        Une journée déjà reçue à l’identique n’est pas enregistrée deux fois. Vous pouvez quitter cette page pendant la
        demande.
      </p>
      {problem && (
        <p role="alert" className="mt-3 text-body text-danger">
          {problem}
        </p>
      )}
      <footer className="mt-6 flex flex-wrap justify-end gap-2">
        <DialogClose>
          <Button variant="secondary">Annuler</Button>
        </DialogClose>
        <Button loading={sending} onClick={send}>
          Redemander au distributeur
        </Button>
      </footer>
    </>
  )
}

/** What will be asked, before it is. */
export const RequestMissingDaysDialog = ({
  wanted,
  onClose,
  ...rest
}: Omit<Props, 'wanted'> & { wanted: RequestedDay[] | null; onClose: () => void }) => (
  <Dialog
    title="Redemander au distributeur"
    description="Les courbes de ces journées seront demandées à nouveau à Enedis."
    open={wanted !== null}
    onOpenChange={(open) => !open && onClose()}
  >
    {wanted && <RequestContent {...rest} wanted={wanted} onClose={onClose} />}
  </Dialog>
)

const POLL_MS = 1500
const isTaskOver = ({ status }: SyncTask) => status !== 'waiting' && status !== 'running'

function useSyncTasks(started: SyncTask[]) {
  const client = useQueryClient()
  const tasks = useQueries({
    queries: started.map((task) => ({
      ...query(sync.task, { params: { id: task.id } }),
      initialData: task,
      staleTime: 0,
      refetchInterval: ({ state }: { state: { data?: SyncTask } }) =>
        state.data && isTaskOver(state.data) ? (false as const) : POLL_MS,
    })),
    combine: (results) => results.map(({ data }) => data),
  })
  const over = tasks.every(isTaskOver)
  useEffect(() => {
    if (over) refreshReadings(client)
  }, [client, over])
  return { tasks, over }
}

const sumCounts = (tasks: SyncTask[], key: 'newDays' | 'changedDays' | 'failed') =>
  tasks.reduce((sum, { counts }) => sum + counts[key], 0)

function summarizeResult(tasks: SyncTask[]) {
  const [newDays, changed, failed] = [
    sumCounts(tasks, 'newDays'),
    sumCounts(tasks, 'changedDays'),
    sumCounts(tasks, 'failed'),
  ]
  const parts = [
    newDays + changed === 0 && 'le distributeur n’a rien donné de nouveau',
    newDays > 0 && formatCount(newDays, 'journée nouvelle', 'journées nouvelles'),
    changed > 0 && formatCount(changed, 'journée complétée', 'journées complétées'),
    failed > 0 && formatCount(failed, 'appel échoué', 'appels échoués'),
  ].filter(Boolean)
  return `Demande terminée\u00a0: ${parts.join(', ')}.`
}

type FollowingProps = { started: SyncTask[]; operationId: string; onClose: () => void }

/** What was asked is followed here until it has come; leaving the page changes nothing to it. */
export const RequestProgress = withAccess(sync.task, ({ started, operationId, onClose }: FollowingProps) => {
  const { tasks, over } = useSyncTasks(started)
  const done = tasks.reduce((sum, { progress }) => sum + progress, 0) / Math.max(1, tasks.length * 100)
  return (
    <div className="flex items-start gap-3 rounded-card border border-line bg-page p-4 text-body">
      <div role="status" className="grid min-w-0 grow gap-1.5">
        {over ? (
          <p className="font-medium">{summarizeResult(tasks)}</p>
        ) : (
          <Progress label="Demande au distributeur" done={done} />
        )}
        <Link to={getTaskPath(tasks, operationId)} className="justify-self-start text-link">
          {tasks.length > 1 ? 'Voir les synchronisations' : 'Voir la synchronisation'}
        </Link>
      </div>
      {over && <IconButton label="Masquer" icon={<X aria-hidden="true" />} onClick={onClose} />}
    </div>
  )
})

const TASKS_PATH = '/enedis-api/sync-tasks'
const getTaskPath = (tasks: SyncTask[], operationId: string) => {
  const [only, another] = tasks
  return only && !another ? `${TASKS_PATH}/${only.id}` : `${TASKS_PATH}?operationId=${operationId}`
}

/** Asks for each run of days in turn; a refusal ends it, and what was asked before goes on. */
export function useRequestDays(operationId: string, onStarted: (tasks: SyncTask[]) => void) {
  const start = useAction(sync.start, [sync.tasks, sync.standing])
  return async (requests: DayRequest[]) => {
    const tasks: SyncTask[] = []
    try {
      for (const { from, to, pointIds } of requests)
        tasks.push(await start.run({ body: { kind: 'load-curve', operationId, pointIds, from, to } }))
    } finally {
      if (tasks.length > 0) onStarted(tasks)
    }
    toast({
      title: 'Demande envoyée au distributeur',
      description:
        tasks.length > 1
          ? `${formatCount(tasks.length, 'synchronisation lancée', 'synchronisations lancées')}, une par période.`
          : 'Les journées apparaîtront dès qu’elles seront reçues.',
      variant: 'success',
      link: {
        to: getTaskPath(tasks, operationId),
        label: tasks.length > 1 ? 'Voir les synchronisations' : 'Voir la synchronisation',
      },
      duration: 10_000,
    })
  }
}

export type RequestedDay = { pointId: string; day: string }
/** `to` is excluded. */
type DayRequest = { from: string; to: string; pointIds: string[] }

/** A call of the distributor gives a week at most, and weeks begin on Monday for everybody. */
const DAYS_PER_CALL = 7
const FIRST_MONDAY = '2001-01-01'
const CALLS_PER_SECOND = 5

/**
 * One request per run of days that follow each other, for the points that miss one of them: a few tasks are easier to
 * follow than one per gap, and what is read again unchanged is stored once.
 */
export function planRequests(wanted: RequestedDay[]): DayRequest[] {
  const requests: { from: string; to: string; points: Set<string> }[] = []
  for (const { pointId, day } of wanted.toSorted((a, b) => a.day.localeCompare(b.day))) {
    const last = requests.at(-1)
    if (last && day <= last.to) {
      last.points.add(pointId)
      last.to = addDays(day, 1)
    } else requests.push({ from: day, to: addDays(day, 1), points: new Set([pointId]) })
  }
  return requests.map(({ from, to, points }) => ({ from, to, pointIds: [...points] }))
}

const getWeekIndex = (day: string) => Math.floor(daysBetween(FIRST_MONDAY, day) / DAYS_PER_CALL)
const countCalls = ({ from, to, pointIds }: DayRequest) =>
  pointIds.length * (getWeekIndex(addDays(to, -1)) - getWeekIndex(from) + 1)

export function estimateRequestCost(requests: DayRequest[]) {
  const calls = requests.reduce((sum, one) => sum + countCalls(one), 0)
  return {
    calls,
    points: new Set(requests.flatMap(({ pointIds }) => pointIds)).size,
    seconds: Math.ceil(calls / CALLS_PER_SECOND),
  }
}
