import { useQueries, useQueryClient } from '@tanstack/react-query'
import { type SyncTask, sync } from '@voisol/contract/sync'
import X from 'lucide-react/icons/x'
import { useEffect } from 'react'
import { only } from '../../../lib/can.tsx'
import { plural } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Link } from '../../../ui/link.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { refreshReadings } from '../shown.ts'
import { taskPath } from './use-request.ts'

const POLL_MS = 1500
const isOver = ({ status }: SyncTask) => status !== 'waiting' && status !== 'running'

function useTasks(started: SyncTask[]) {
  const client = useQueryClient()
  const tasks = useQueries({
    queries: started.map((task) => ({
      ...query(sync.task, { params: { id: task.id } }),
      initialData: task,
      staleTime: 0,
      refetchInterval: ({ state }: { state: { data?: SyncTask } }) =>
        state.data && isOver(state.data) ? (false as const) : POLL_MS,
    })),
    combine: (results) => results.map(({ data }) => data),
  })
  const over = tasks.every(isOver)
  useEffect(() => {
    if (over) refreshReadings(client)
  }, [client, over])
  return { tasks, over }
}

const sumOf = (tasks: SyncTask[], key: 'newDays' | 'changedDays' | 'failed') =>
  tasks.reduce((sum, { counts }) => sum + counts[key], 0)

function resultOf(tasks: SyncTask[]) {
  const [fresh, changed, failed] = [sumOf(tasks, 'newDays'), sumOf(tasks, 'changedDays'), sumOf(tasks, 'failed')]
  const parts = [
    fresh + changed === 0 && 'le distributeur n’a rien donné de nouveau',
    fresh > 0 && plural(fresh, 'journée nouvelle', 'journées nouvelles'),
    changed > 0 && plural(changed, 'journée complétée', 'journées complétées'),
    failed > 0 && plural(failed, 'appel échoué', 'appels échoués'),
  ].filter(Boolean)
  return `Demande terminée\u00a0: ${parts.join(', ')}.`
}

type Props = { started: SyncTask[]; operationId: string; onClose: () => void }

/** What was asked is followed here until it has come; leaving the page changes nothing to it. */
export const Following = only(sync.task, ({ started, operationId, onClose }: Props) => {
  const { tasks, over } = useTasks(started)
  const done = tasks.reduce((sum, { progress }) => sum + progress, 0) / Math.max(1, tasks.length * 100)
  return (
    <div className="flex items-start gap-3 rounded-card border border-line bg-page p-4 text-body">
      <div role="status" className="grid min-w-0 grow gap-1.5">
        {over ? (
          <p className="font-medium">{resultOf(tasks)}</p>
        ) : (
          <Progress label="Demande au distributeur" done={done} />
        )}
        <Link to={taskPath(tasks, operationId)} className="justify-self-start text-link">
          {tasks.length > 1 ? 'Voir les synchronisations' : 'Voir la synchronisation'}
        </Link>
      </div>
      {over && <IconButton label="Masquer" icon={<X aria-hidden="true" />} onClick={onClose} />}
    </div>
  )
})
