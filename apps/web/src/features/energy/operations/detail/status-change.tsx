import { audit } from '@voisol/contract/audit'
import { energy } from '@voisol/contract/energy'
import { keys } from '@voisol/contract/keys'
import {
  type NextStep,
  type Operation,
  type OperationOverview,
  type OperationStatus,
  operations,
} from '@voisol/contract/operations'
import Circle from 'lucide-react/icons/circle'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useState } from 'react'
import type { z } from 'zod'
import { Button } from '../../../../components/button.tsx'
import { Dialog, DialogClose } from '../../../../components/dialog.tsx'
import { Link } from '../../../../components/link.tsx'
import { confirmImpact } from '../../../../lib/confirm-impact.ts'
import { explainError } from '../../../../lib/error-text.ts'
import { useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'

type StatusChangeDialogProps = {
  operation: Operation
  overview: z.output<typeof OperationOverview>
  to: OperationStatus
  onClose: () => void
}

/** Says what the change means and what is missing for it; stays open with the server's reason when it is refused. */
export function StatusChangeDialog({ operation, overview, to, onClose }: StatusChangeDialogProps) {
  const changeStatus = useAction(operations.move, OPERATION_DEPENDENT_QUERIES)
  const [problem, setProblem] = useState('')
  const { action, title, description, done } = STATUS_CHANGES[to]
  const confirm = async () => {
    setProblem('')
    try {
      const { id, version } = operation
      const body = { status: to, version }
      const previewToken = await confirmImpact({ kind: 'status', id, body }, action)
      if (!previewToken) return
      await changeStatus.run({ params: { id }, body: { ...body, ...previewToken } })
      toast({ title: done, variant: 'success' })
      onClose()
    } catch (error) {
      setProblem(explainError(error))
    }
  }
  return (
    <Dialog
      title={title}
      description={description}
      open
      onOpenChange={(open) => !open && onClose()}
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Annuler</Button>
          </DialogClose>
          <Button variant={to === 'closed' ? 'danger' : 'primary'} loading={changeStatus.isPending} onClick={confirm}>
            {action}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {to === 'active' && <NextSteps steps={overview.nextSteps} onLeave={onClose} />}
        {problem && (
          <p role="alert" className="rounded-card bg-danger-soft p-3 text-body text-danger">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}

type StatusChange = { action: string; title: string; description: string; done: string }

/** Each change of state by where it leads: its name, and what it means. */
export const STATUS_CHANGES: Record<OperationStatus, StatusChange> = {
  draft: {
    action: 'Repasser en brouillon',
    title: 'Repasser en brouillon',
    description: 'L’opération redevient un brouillon, qui peut être supprimé tant qu’aucun relevé n’a été reçu.',
    done: 'L’opération est de nouveau un brouillon',
  },
  pending: {
    action: 'Passer en préparation',
    title: 'Passer en préparation',
    description: 'L’opération sort du brouillon. Elle pourra être mise en service quand tout sera prêt.',
    done: 'Opération en préparation',
  },
  active: {
    action: 'Mettre en service',
    title: 'Mettre l’opération en service',
    description: 'L’énergie est partagée à partir de la date de début. Voici ce qu’il faut pour cela.',
    done: 'Opération en service',
  },
  suspended: {
    action: 'Suspendre',
    title: 'Suspendre l’opération',
    description:
      'Les relevés continuent d’arriver, mais l’opération n’est plus signalée comme active. Vous pourrez la reprendre.',
    done: 'Opération suspendue',
  },
  closed: {
    action: 'Clôturer',
    title: 'Clôturer l’opération',
    description:
      'Les participations se terminent aujourd’hui et les points deviennent libres. Cela ne peut pas être annulé.',
    done: 'Opération clôturée',
  },
}

type NextStepsProps = { steps: z.output<typeof NextStep>[]; onLeave?: () => void }

/** What stands between the operation and its start, each with the screen that settles it. */
export const NextSteps = ({ steps, onLeave }: NextStepsProps) => (
  <ul className="grid gap-2.5">
    {steps.map(({ label, done, url }) => (
      <li key={label} className="flex items-start gap-2.5 text-body">
        {done ? (
          <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
        ) : (
          <Circle aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-muted" />
        )}
        <span className={done ? 'text-ink-soft' : 'font-medium'}>
          {!done && url ? (
            <Link to={url} onClick={onLeave} className="text-link">
              {label}
            </Link>
          ) : (
            label
          )}
          <span className="sr-only">{done ? ', fait' : ', à faire'}</span>
        </span>
      </li>
    ))}
  </ul>
)

/** What a change of an operation may alter elsewhere. */
export const OPERATION_DEPENDENT_QUERIES = [
  operations.list,
  operations.get,
  operations.overview,
  keys.list,
  audit.list,
  energy.attention,
  energy.operations,
]
