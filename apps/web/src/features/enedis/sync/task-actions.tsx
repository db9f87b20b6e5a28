import { type SyncTask, sync } from '@voisol/contract/sync'
import CircleStop from 'lucide-react/icons/circle-stop'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { isTaskActive } from '../../../components/sync-status.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const DEPENDENT_QUERIES = [sync.tasks, sync.task, sync.windows, sync.standing]

type TaskActionsProps = { task: SyncTask; size?: 'small' | 'medium'; quiet?: boolean }

const RetryButton = withAccess(sync.retry, ({ task, size, quiet }: TaskActionsProps) => {
  const { run, isPending } = useAction(sync.retry, DEPENDENT_QUERIES)
  const retry = () =>
    run({ params: { id: task.id } }).then(
      () => toast({ title: 'Les appels qui ont échoué sont repris', variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Reprise impossible', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button
      variant={quiet ? 'quiet' : 'primary'}
      size={size}
      icon={<RotateCcw aria-hidden="true" />}
      loading={isPending}
      onClick={() => void retry()}
    >
      {quiet ? 'Reprendre' : 'Reprendre les appels échoués'}
    </Button>
  )
})

const CancelButton = withAccess(sync.cancel, ({ task, size, quiet }: TaskActionsProps) => {
  const { run } = useAction(sync.cancel, DEPENDENT_QUERIES)
  const remaining = task.counts.windows - task.counts.done - task.counts.failed
  return (
    <Confirm
      title="Arrêter cette synchronisation&nbsp;?"
      description={`${formatCount(remaining, 'appel restant ne sera', 'appels restants ne seront')} pas ${remaining < 2 ? 'fait' : 'faits'}. Ce qui est déjà reçu est gardé.`}
      action="Arrêter la synchronisation"
      onConfirm={() => run({ params: { id: task.id } })}
      trigger={
        <Button variant={quiet ? 'quiet' : 'secondary'} size={size} icon={<CircleStop aria-hidden="true" />}>
          {quiet ? 'Arrêter' : 'Arrêter la synchronisation'}
        </Button>
      }
    />
  )
})

/** What can be done with a task as it stands: stop it while it works, take up what failed once it is over. */
export const TaskActions = (props: TaskActionsProps) => {
  if (isTaskActive(props.task)) return <CancelButton {...props} />
  return props.task.counts.failed > 0 ? <RetryButton {...props} /> : null
}
