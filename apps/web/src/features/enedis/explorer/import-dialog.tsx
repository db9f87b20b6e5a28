import { enedis } from '@voisol/contract/enedis'
import { type SyncKind, type SyncTask, sync } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import CircleCheck from 'lucide-react/icons/circle-check'
import DatabaseArrowDown from 'lucide-react/icons/database-arrow-down'
import { useState } from 'react'
import { withAccess } from '../../../lib/can.tsx'
import { SYNC_KIND_LABELS } from '../../../lib/distributor-labels.ts'
import { explainError } from '../../../lib/explain.ts'
import { useAction } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Link } from '../../../ui/link.tsx'
import { formatDayRange } from '../../../ui/period/label.ts'
import { getTodayInParis } from '../../../ui/period/period.ts'
import type { AgreementMember } from './model.ts'

const OFFERED_SYNC_KINDS = ['load-curve', 'agreement-series'] as const satisfies SyncKind[]

type Props = { operationId: string; name: string; point: AgreementMember | undefined; from: string; to: string }

const StartedTasks = ({ tasks }: { tasks: SyncTask[] }) => (
  <ul className="grid gap-3">
    {tasks.map((task) => (
      <li key={task.id} className="flex items-start gap-2 text-body">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-4 text-success" />
        <span>
          {SYNC_KIND_LABELS[task.kind].label}&nbsp;: la demande est partie.{' '}
          <Link to={`/enedis-api/sync-tasks/${task.id}`} className="text-link">
            Suivre la tâche
          </Link>
        </span>
      </li>
    ))}
  </ul>
)

function useExplorerImport({ operationId, point, from, to }: Props) {
  const start = useAction(sync.start, [sync.tasks, enedis.overview])
  const [tasks, setTasks] = useState<SyncTask[]>([])
  const [problem, setProblem] = useState('')
  const run = async (kinds: SyncKind[]) => {
    setProblem('')
    const pointIds = point?.pointId ? [point.pointId] : []
    try {
      for (const kind of kinds) {
        const task = await start.run({ body: { kind, operationId, pointIds, from, to, trigger: 'explorer' } })
        setTasks((old) => [...old, task])
      }
    } catch (error) {
      setProblem(explainError(error))
    }
  }
  return { run, tasks, problem, busy: start.isPending }
}

function ExplorerImportBody(props: Props) {
  const { name, point, from } = props
  // Today is not over: nothing of it can be asked for.
  const to = props.to < getTodayInParis() ? props.to : getTodayInParis()
  const { run, tasks, problem, busy } = useExplorerImport({ ...props, to })
  const [kinds, setKinds] = useState<SyncKind[]>([...OFFERED_SYNC_KINDS])
  const left = kinds.filter((kind) => !tasks.some((task) => task.kind === kind))
  return (
    <div className="grid gap-5">
      <p className="text-body">
        {point ? point.label || `Le point ${point.prm}` : 'Tous les points'} de «&nbsp;{name}&nbsp;»,{' '}
        {formatDayRange(from, addDays(to, -1))}.
      </p>
      {tasks.length === 0 && (
        <fieldset className="grid gap-3">
          <legend className="mb-2 text-body font-medium">Ce qui est demandé</legend>
          {OFFERED_SYNC_KINDS.map((kind) => (
            <Checkbox
              key={kind}
              label={SYNC_KIND_LABELS[kind].label}
              hint={SYNC_KIND_LABELS[kind].meaning}
              checked={kinds.includes(kind)}
              onChange={({ target }) =>
                setKinds((old) => (target.checked ? [...old, kind] : old.filter((one) => one !== kind)))
              }
            />
          ))}
        </fieldset>
      )}
      <div role="status">{tasks.length > 0 && <StartedTasks tasks={tasks} />}</div>
      {problem && (
        <p role="alert" className="text-body text-danger">
          {problem}
        </p>
      )}
      {(tasks.length === 0 || problem) && (
        <Button
          className="justify-self-end"
          loading={busy}
          disabled={left.length === 0 || from >= to}
          onClick={() => void run(left)}
        >
          Demander ces données
        </Button>
      )}
    </div>
  )
}

/** Brings what is on screen into the product's own store, by the same road as the daily synchronisation. */
export const ExplorerImportDialog = withAccess(sync.start, (props: Props) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Importer dans Voisol"
      description="Les données sont redemandées au distributeur et enregistrées&nbsp;; ce qui est déjà connu n’est pas compté deux fois."
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<DatabaseArrowDown aria-hidden="true" />}>Importer dans Voisol</Button>}
    >
      <ExplorerImportBody {...props} />
    </Dialog>
  )
})
