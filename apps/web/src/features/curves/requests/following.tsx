import { useQueries, useQueryClient } from '@tanstack/react-query'
import { type SyncTask, sync } from '@voisol/contract/sync'
import X from 'lucide-react/icons/x'
import { useEffect } from 'react'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Link } from '../../../ui/link.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { refreshReadings } from '../shown.ts'
import { getTaskPath } from './use-request.ts'

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

type Props = { started: SyncTask[]; operationId: string; onClose: () => void }

/** What was asked is followed here until it has come; leaving the page changes nothing to it. */
export const RequestProgress = withAccess(sync.task, ({ started, operationId, onClose }: Props) => {
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
