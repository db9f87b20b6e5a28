import { useQueryClient } from '@tanstack/react-query'
import { type Operation, operations } from '@voisol/contract/operations'
import { ApiError, call } from '../../../lib/call.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { confirmImpact } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { OperationFields } from './edit-fields.tsx'
import { findConflictingChanges, OperationForm, toOperationForm, toOperationUpdate } from './edit-form.ts'
import { OPERATION_DEPENDENT_QUERIES } from './operation.ts'

function useEditOperationForm(operation: Operation, onDone: () => void) {
  const client = useQueryClient()
  const update = useAction(operations.update, OPERATION_DEPENDENT_QUERIES)
  const params = { id: operation.id }
  const form = useSchemaForm(OperationForm, {
    defaults: toOperationForm(operation),
    save: async (value) => {
      try {
        const body = toOperationUpdate(value)
        const previewToken = await confirmImpact(
          { kind: 'operation', id: operation.id, body },
          'Enregistrer l’opération',
        )
        if (!previewToken) return
        await update.run({ params, body: { ...body, ...previewToken } })
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'stale') throw error
        return showConflict(value, error)
      }
      toast({ title: 'Opération enregistrée', variant: 'success' })
      onDone()
    },
  })
  /** Somebody saved in between: the fields say what they wrote, and saving again is then a choice made knowingly. */
  const showConflict = async (value: OperationForm, error: ApiError) => {
    const current = await call(operations.get, { params })
    void client.invalidateQueries({ queryKey: [operations.list.path] })
    form.setValue('version', current.version)
    for (const { path, message } of findConflictingChanges(value, current)) form.setError(path, { message })
    form.setError('root', {
      message: `${error.detail} Enregistrer de nouveau remplace ce qui a été écrit entre-temps.`,
    })
  }
  return form
}

function EditOperationForm({ operation, onDone }: { operation: Operation; onDone: () => void }) {
  const form = useEditOperationForm(operation, onDone)
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <OperationFields form={form} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer l’opération
      </Button>
    </form>
  )
}

export const EditOperationDialog = ({ operation, onClose }: { operation: Operation; onClose: () => void }) => (
  <Dialog
    title="Modifier l’opération"
    description={operation.name}
    width="wide"
    open
    onOpenChange={(open) => !open && onClose()}
  >
    <EditOperationForm operation={operation} onDone={onClose} />
  </Dialog>
)
