import { Invite, users } from '@voisol/contract/users'
import UserPlus from 'lucide-react/icons/user-plus'
import { withAccess } from '../../lib/can.tsx'
import { useSchemaForm } from '../../lib/form.ts'
import { useDialogParam } from '../../lib/opened.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { RoleAssignmentFields, type RoleAssignmentForm } from './role-field.tsx'

function InviteUserForm({ onDone }: { onDone: () => void }) {
  const invite = useAction(users.invite, [users.list])
  const form = useSchemaForm(Invite, {
    defaults: { email: '', firstName: '', lastName: '', role: 'client', operationIds: null },
    save: async (body) => {
      await invite.run({ body })
      toast({
        title: 'Invitation envoyée',
        description: `${body.email} recevra un lien valable sept jours.`,
        variant: 'success',
      })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="email" label="Adresse e-mail" type="email" autoComplete="off" />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="firstName" label="Prénom" autoComplete="off" />
        <Field form={form} name="lastName" label="Nom" autoComplete="off" />
      </div>
      <RoleAssignmentFields form={form as unknown as RoleAssignmentForm} /* its fields are among this form's */ />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Envoyer l’invitation
      </Button>
    </form>
  )
}

export const InviteUserDialog = withAccess(users.invite, () => {
  const [open, setOpen] = useDialogParam('inviter')
  return (
    <Dialog
      title="Inviter un utilisateur"
      description="La personne choisit elle-même son mot de passe."
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<UserPlus aria-hidden="true" />}>Inviter</Button>}
    >
      <InviteUserForm onDone={() => setOpen(false)} />
    </Dialog>
  )
})
