import { useQuery } from '@tanstack/react-query'
import { type SsoConnection, sso } from '@voisol/contract/sso'
import { users } from '@voisol/contract/users'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { isProviderConfigured } from './labels.ts'

type Props = { connection: SsoConnection }

const createFailureHandler = (title: string) => (error: unknown) =>
  toast({ title, description: explainError(error), variant: 'destructive' })

export const TestConnectionButton = withAccess(sso.test, ({ connection }: Props) => {
  const test = useAction(sso.test, [])
  const run = () =>
    test
      .run({ params: { id: connection.id } })
      .then(({ url }) => location.assign(url), createFailureHandler('L’essai n’a pas commencé'))
  return (
    <Button
      variant="secondary"
      disabled={!isProviderConfigured(connection)}
      loading={test.isPending}
      onClick={() => void run()}
    >
      Essayer
    </Button>
  )
})

export const ActivationButton = withAccess(
  sso.switch,
  ({ connection: { id, activatedAt, testedAt, enforcedAt } }: Props) => {
    const change = useAction(sso.switch, [sso.list])
    const run = (on: boolean) => change.run({ params: { id }, body: { on } })
    if (!activatedAt)
      return (
        <Button
          disabled={!testedAt}
          loading={change.isPending}
          onClick={() => void run(true).catch(createFailureHandler('La connexion reste fermée'))}
        >
          Ouvrir la connexion
        </Button>
      )
    if (enforcedAt) return null
    return (
      <Confirm
        title="Fermer la connexion&#160;?"
        description="Ceux qui sont entrés par elle sont déconnectés aussitôt. Leurs comptes restent, et un mot de passe se demande par e-mail."
        action="Fermer la connexion"
        onConfirm={() => run(false)}
        trigger={<Button variant="quiet">Fermer</Button>}
      />
    )
  },
)

const EnforceFormSchema = z.object({ breakGlassId: z.uuid('Choisissez une personne.') })

function EnforceForm({ connection, onDone }: Props & { onDone: () => void }) {
  const enforce = useAction(sso.enforce, [sso.list])
  const { data } = useQuery(query(users.list, { query: { role: 'admin', status: 'active', size: 100 } }))
  const form = useSchemaForm(EnforceFormSchema, {
    defaults: { breakGlassId: '' },
    save: async ({ breakGlassId }) => {
      await enforce.run({ params: { id: connection.id }, body: { on: true, breakGlassId } })
      toast({ title: 'Connexion imposée', variant: 'success' })
      onDone()
    },
  })
  const people = (data?.items ?? []).map(({ id, firstName, lastName, email }) => ({
    value: id,
    label: `${firstName} ${lastName} (${email})`,
  }))
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <p className="text-body text-ink-soft">
        Les mots de passe et les clés d’accès des adresses de{' '}
        {connection.domains.map(({ domain }) => domain).join(', ')} n’ouvriront plus cette organisation, et les sessions
        ouvertes ainsi se ferment aussitôt.
      </p>
      <Field
        form={form}
        name="breakGlassId"
        label="Administrateur de secours"
        hint="Son mot de passe reste accepté&#160;: il entre si le fournisseur ne répond plus."
      >
        {(control) => (
          <Select key={people.length} {...control} options={[{ value: '', label: 'Choisir…' }, ...people]} />
        )}
      </Field>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Imposer la connexion
      </Button>
    </form>
  )
}

const EnforceDialog = withAccess(users.list, ({ connection }: Props) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Imposer la connexion d’entreprise"
      open={open}
      onOpenChange={setOpen}
      trigger={<Button>Imposer</Button>}
    >
      <EnforceForm connection={connection} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

export const EnforceButton = withAccess(sso.enforce, ({ connection }: Props) => {
  const enforce = useAction(sso.enforce, [sso.list])
  if (!connection.activatedAt) return null
  if (!connection.enforcedAt) return <EnforceDialog connection={connection} />
  return (
    <Confirm
      title="Ne plus imposer cette connexion&#160;?"
      description="Les mots de passe de ces adresses seront de nouveau acceptés."
      action="Ne plus imposer"
      tone="primary"
      onConfirm={() => enforce.run({ params: { id: connection.id }, body: { on: false } })}
      trigger={<Button variant="secondary">Ne plus imposer</Button>}
    />
  )
})

export const RemoveConnectionButton = withAccess(sso.remove, ({ connection: { id, name, enforcedAt } }: Props) => {
  const remove = useAction(sso.remove, [sso.list])
  if (enforcedAt) return null
  return (
    <Confirm
      title={`Supprimer «\u00a0${name}\u00a0»\u00a0?`}
      description="Plus personne n’entrera par elle, et l’annuaire ne tiendra plus les comptes. Les comptes restent."
      action="Supprimer la connexion"
      onConfirm={() => remove.run({ params: { id } })}
      trigger={<Button variant="quiet">Supprimer</Button>}
    />
  )
})
