import { enedis } from '@voisol/contract/enedis'
import { type SyncTask, sync } from '@voisol/contract/sync'
import FileDown from 'lucide-react/icons/file-down'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import { download } from '../lib/call.ts'
import { withAccess } from '../lib/can.tsx'
import { SYNC_STATUS_LABELS } from '../lib/distributor-labels.ts'
import { explainError } from '../lib/error-text.ts'
import { formatCount, formatPercent } from '../lib/format.ts'
import { useAction } from '../lib/queries.ts'
import { toast } from '../lib/toast.ts'
import { Badge } from './badge.tsx'
import { Button } from './button.tsx'
import { Confirm } from './dialog.tsx'

const downloadAnswer = (sha256: string) =>
  download(enedis.answer, { params: { sha256 } }).catch((error: unknown) =>
    toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
  )

/** What the distributor answered, as it came. */
export const ArchivedAnswerButton = withAccess(enedis.answer, ({ sha256 }: { sha256: string }) => (
  <Button
    variant="quiet"
    size="small"
    className="justify-self-start"
    icon={<FileDown aria-hidden="true" />}
    onClick={() => void downloadAnswer(sha256)}
  >
    Réponse archivée
  </Button>
))

/** Points that were stopped begin again together: those of an operation, or all of the company's. */
export const ResumeAllButton = withAccess(sync.resumeAll, ({ operationId }: { operationId?: string }) => {
  const { run } = useAction(sync.resumeAll, [sync.standing, sync.tasks, enedis.overview])
  const resume = async () => {
    const { count } = await run({ body: { operationId } })
    toast({
      title: count ? formatCount(count, 'point repris', 'points repris') : 'Aucun point n’était arrêté',
      ...(count > 0 && { description: 'Leurs appels sont refaits dès maintenant.' }),
      variant: 'success',
    })
  }
  return (
    <Confirm
      tone="primary"
      title="Reprendre tous les points&nbsp;?"
      description={`Les appels de tous les points arrêtés ${operationId ? 'de cette opération' : 'de l’entreprise'} reprennent, et ce qui avait échoué avec eux est redemandé. Un point dont l’accord manque vraiment sera de nouveau arrêté.`}
      action="Reprendre tous les points"
      onConfirm={resume}
      trigger={
        <Button variant="secondary" size="small" icon={<RotateCcw aria-hidden="true" />}>
          Tout reprendre
        </Button>
      }
    />
  )
})

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
