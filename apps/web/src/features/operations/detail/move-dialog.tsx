import { type Operation, type OperationOverview, type OperationStatus, operations } from '@voisol/contract/operations'
import { useState } from 'react'
import type { z } from 'zod'
import { explainError } from '../../../lib/explain.ts'
import { confirmImpact } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogClose } from '../../../ui/dialog.tsx'
import { STATUS_CHANGES } from './moves.ts'
import { NextSteps } from './next-steps.tsx'
import { OPERATION_DEPENDENT_QUERIES } from './operation.ts'

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
