import { type SyncTask, sync } from '@voisol/contract/sync'
import { formatCount } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import type { DayRequest } from './plan.ts'

const TASKS_PATH = '/enedis-api/sync-tasks'
export const getTaskPath = (tasks: SyncTask[], operationId: string) => {
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
