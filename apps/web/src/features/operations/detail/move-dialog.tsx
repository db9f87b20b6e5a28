import { type Operation, type OperationStatus, type Overview, operations } from '@voisol/contract/operations'
import { useState } from 'react'
import type { z } from 'zod'
import { explain } from '../../../lib/explain.ts'
import { lookFirst } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogClose } from '../../../ui/dialog.tsx'
import { MOVES } from './moves.ts'
import { NextSteps } from './next-steps.tsx'
import { TOUCHED } from './operation.ts'

type MoveDialogProps = {
  operation: Operation
  overview: z.output<typeof Overview>
  to: OperationStatus
  onClose: () => void
}

/** Says what the change means and what is missing for it; stays open with the server's reason when it is refused. */
export function MoveDialog({ operation, overview, to, onClose }: MoveDialogProps) {
  const move = useAction(operations.move, TOUCHED)
  const [problem, setProblem] = useState('')
  const { action, title, description, done } = MOVES[to]
  const confirm = async () => {
    setProblem('')
    try {
      const { id, version } = operation
      const body = { status: to, version }
      const seen = await lookFirst({ kind: 'status', id, body }, action)
      if (!seen) return
      await move.run({ params: { id }, body: { ...body, ...seen } })
      toast({ title: done, variant: 'success' })
      onClose()
    } catch (error) {
      setProblem(explain(error))
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
          <Button variant={to === 'closed' ? 'danger' : 'primary'} loading={move.isPending} onClick={confirm}>
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
