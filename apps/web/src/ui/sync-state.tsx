import type { SyncTask } from '@voisol/contract/sync'
import { SYNC_STATUS_LABELS } from '../lib/distributor-labels.ts'
import { formatPercent } from '../lib/format.ts'
import { Badge } from './badge.tsx'

export const isTaskActive = ({ status }: Pick<SyncTask, 'status'>) => status === 'waiting' || status === 'running'

/** The state of a task, and how far it is while it works. */
export const SyncState = ({ task }: { task: Pick<SyncTask, 'status' | 'progress'> }) => (
  <span className="inline-flex items-center gap-2 whitespace-nowrap">
    <Badge tone={SYNC_STATUS_LABELS[task.status].tone}>{SYNC_STATUS_LABELS[task.status].label}</Badge>
    {task.status === 'running' && (
      <>
        <span aria-hidden="true" className="h-1.5 w-14 overflow-hidden rounded-full bg-slate-200">
          <span
            className="block h-full rounded-full bg-primary transition-[width] duration-200"
            style={{ width: `${task.progress}%` }}
          />
        </span>
        <span className="tabular text-[0.8125rem] text-ink-soft">{formatPercent(task.progress / 100, 0)}</span>
      </>
    )}
  </span>
)
