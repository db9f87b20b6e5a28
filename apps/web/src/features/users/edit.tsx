import { useQueryClient } from '@tanstack/react-query'
import { roles } from '@voisol/contract/roles'
import { type User, UserUpdate, users } from '@voisol/contract/users'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { refreshUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { getUserName } from './labels.ts'
import { RoleAssignmentFields, type RoleAssignmentForm } from './role-field.tsx'

function EditUserForm({ user, onDone }: { user: User; onDone: () => void }) {
  const client = useQueryClient()
  const update = useAction(users.update, [users.list, roles.list])
  const { firstName, lastName, phone, role, operationIds, version } = user
  const form = useSchemaForm(UserUpdate, {
    defaults: { firstName, lastName, phone, role, operationIds, version },
    save: async (body) => {
      await update.run({ params: { id: user.id }, body }).catch((error) => {
        // The list showed an older state than the server's: opened again, the form starts from the present one.
        void client.invalidateQueries({ queryKey: [users.list.path] })
        throw error
      })
      // It may be one's own place that has just changed.
      await refreshUser()
      toast({ title: 'Modification enregistrée', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="firstName" label="Prénom" autoComplete="off" />
        <Field form={form} name="lastName" label="Nom" autoComplete="off" />
      </div>
      <Field form={form} name="phone" label="Téléphone" type="tel" autoComplete="off" optional />
      <RoleAssignmentFields form={form as unknown as RoleAssignmentForm} /* its fields are among this form's */ />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer
      </Button>
    </form>
  )
}

export const EditUserDialog = ({ user, onClose }: { user: User; onClose: () => void }) => (
  <Dialog title={getUserName(user)} description={user.email} open onOpenChange={(open) => !open && onClose()}>
    <EditUserForm user={user} onDone={onClose} />
  </Dialog>
)
