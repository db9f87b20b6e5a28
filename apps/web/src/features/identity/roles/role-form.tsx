import type { Permission } from '@voisol/contract/permissions'
import { NewRole, type Role, roles } from '@voisol/contract/roles'
import { users } from '@voisol/contract/users'
import { type FieldError, get } from 'react-hook-form'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { refreshUser, useUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { RightFields } from './rights.tsx'

const DEPENDENT_QUERIES = [roles.list, users.list]

/** What is written: nothing yet, a copy of another role, or one that exists. */
export type RoleDraft = { role?: Role; model?: Role }

function useSaveRole(role: Role | undefined) {
  const create = useAction(roles.create, DEPENDENT_QUERIES)
  const update = useAction(roles.update, DEPENDENT_QUERIES)
  return async (body: { name: string; permissions: Permission[] }) => {
    if (role) await update.run({ params: { id: role.id }, body: { ...body, version: role.version } })
    else await create.run({ body })
    // It may be one's own role that has just changed.
    await refreshUser()
  }
}

function RoleForm({ role, model, onDone }: RoleDraft & { onDone: () => void }) {
  const { permissions: ownRights } = useUser()
  const save = useSaveRole(role)
  const initialRights = role?.permissions ?? model?.permissions ?? []
  const form = useSchemaForm(NewRole, {
    defaults: { name: role?.name ?? '', permissions: initialRights.filter((right) => ownRights.includes(right)) },
    save: async (body) => {
      await save(body)
      toast({ title: role ? 'Rôle enregistré' : 'Rôle défini', description: body.name, variant: 'success' })
      onDone()
    },
  })
  const rights = form.watch('permissions')
  const change = (next: Permission[]) =>
    form.setValue('permissions', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  const problem: FieldError | undefined = get(form.formState.errors, 'permissions')
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom du rôle" placeholder="Chargé de clientèle" autoComplete="off" />
      <div className="grid gap-1">
        <h3 className="text-body font-medium">Droits</h3>
        <p className="text-[0.8125rem] text-ink-soft">
          Vous ne donnez que des droits que vous avez. Modifier comprend toujours consulter.
        </p>
        {problem && <p className="text-[0.8125rem] text-danger">{problem.message}</p>}
      </div>
      <RightFields offered={ownRights} value={rights} onChange={change} />
      <footer className="sticky -bottom-6 -mx-6 -mb-6 flex flex-wrap items-center justify-between gap-3 border-t border-line bg-card px-6 py-4">
        <p role="status" className="tabular text-body text-ink-soft">
          {formatCount(rights.length, 'droit choisi', 'droits choisis')}
        </p>
        <Button type="submit" loading={form.formState.isSubmitting}>
          {role ? 'Enregistrer le rôle' : 'Définir le rôle'}
        </Button>
      </footer>
    </form>
  )
}

export default function RoleDialog({ onClose, ...draft }: RoleDraft & { onClose: () => void }) {
  return (
    <Dialog
      title={draft.role ? `Modifier «\u00a0${draft.role.name}\u00a0»` : 'Définir un rôle'}
      description={
        draft.role?.people
          ? `Le changement vaut aussitôt pour ${formatCount(draft.role.people, 'personne')}.`
          : draft.model && `D’après «\u00a0${draft.model.name}\u00a0».`
      }
      width="wide"
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <RoleForm {...draft} onDone={onClose} />
    </Dialog>
  )
}
