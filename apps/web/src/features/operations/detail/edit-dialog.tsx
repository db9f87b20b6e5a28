import { useQueryClient } from '@tanstack/react-query'
import { type Operation, operations } from '@voisol/contract/operations'
import { ApiError, call } from '../../../lib/call.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { lookFirst } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { EditFields } from './edit-fields.tsx'
import { changesSince, OperationForm, toForm, toUpdate } from './edit-form.ts'
import { TOUCHED } from './operation.ts'

function useEdit(operation: Operation, onDone: () => void) {
  const client = useQueryClient()
  const update = useAction(operations.update, TOUCHED)
  const params = { id: operation.id }
  const form = useSchemaForm(OperationForm, {
    defaults: toForm(operation),
    save: async (value) => {
      try {
        const body = toUpdate(value)
        const seen = await lookFirst({ kind: 'operation', id: operation.id, body }, 'Enregistrer l’opération')
        if (!seen) return
        await update.run({ params, body: { ...body, ...seen } })
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'stale') throw error
        return resume(value, error)
      }
      toast({ title: 'Opération enregistrée', variant: 'success' })
      onDone()
    },
  })
  /** Somebody saved in between: the fields say what they wrote, and saving again is then a choice made knowingly. */
  const resume = async (value: OperationForm, error: ApiError) => {
    const now = await call(operations.get, { params })
    void client.invalidateQueries({ queryKey: [operations.list.path] })
    form.setValue('version', now.version)
    for (const { path, message } of changesSince(value, now)) form.setError(path, { message })
    form.setError('root', {
      message: `${error.detail} Enregistrer de nouveau remplace ce qui a été écrit entre-temps.`,
    })
  }
  return form
}

function EditForm({ operation, onDone }: { operation: Operation; onDone: () => void }) {
  const form = useEdit(operation, onDone)
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <EditFields form={form} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer l’opération
      </Button>
    </form>
  )
}

export const EditDialog = ({ operation, onClose }: { operation: Operation; onClose: () => void }) => (
  <Dialog
    title="Modifier l’opération"
    description={operation.name}
    width="wide"
    open
    onOpenChange={(open) => !open && onClose()}
  >
    <EditForm operation={operation} onDone={onClose} />
  </Dialog>
)
