import { auth } from '@voisol/contract/auth'
import { type Passkey, PasskeyName, passkeys } from '@voisol/contract/passkeys'
import { z } from 'zod'
import { useSchemaForm } from '../../lib/form.ts'
import { createPasskey } from '../../lib/passkey.ts'
import { useAction } from '../../lib/queries.ts'
import { refreshUser, useSession } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { EmailConfirmationNotice } from '../../ui/confirm-address-first.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'

const AddPasskeyFields = z.object({ name: PasskeyName, password: auth.disableSecondFactor.body.shape.password })
const RenamePasskeyFields = z.object({ name: PasskeyName })

/** A name and the password, then the device asks for the rest. */
export function AddPasskey({ onAdded }: { onAdded: (codes: string[] | null) => void }) {
  const prepare = useAction(passkeys.prepare, [])
  const add = useAction(passkeys.add, [passkeys.list])
  const form = useSchemaForm(AddPasskeyFields, {
    defaults: { name: '', password: '' },
    save: async ({ name, password }) => {
      const credential = await createPasskey(await prepare.run({ body: { password } }))
      const { recoveryCodes } = await add.run({ body: { name, credential } })
      onAdded(recoveryCodes)
      await refreshUser()
      toast({ title: 'Clé d’accès ajoutée', description: name, variant: 'success' })
    },
  })
  const { user } = useSession()
  if (user?.emailVerified === false) return <EmailConfirmationNotice purpose="pour ajouter une clé d’accès" />
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field
        form={form}
        name="name"
        label="Nom de la clé"
        hint="Pour la reconnaître, par exemple «&nbsp;Téléphone&nbsp;»."
      />
      <Field form={form} name="password" label="Mot de passe">
        {(control) => <PasswordInput {...control} />}
      </Field>
      <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
        Ajouter la clé d’accès
      </Button>
    </form>
  )
}

export function RenamePasskey({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const rename = useAction(passkeys.rename, [passkeys.list])
  const form = useSchemaForm(RenamePasskeyFields, {
    defaults: { name: passkey.name },
    save: async ({ name }) => {
      await rename.run({ params: { id: passkey.id }, body: { name, version: passkey.version } })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom de la clé" />
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        Renommer
      </Button>
    </form>
  )
}

export function RemovePasskey({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const remove = useAction(passkeys.remove, [passkeys.list])
  const form = useSchemaForm(passkeys.remove.body, {
    defaults: { password: '' },
    save: async (body) => {
      await remove.run({ params: { id: passkey.id }, body })
      await refreshUser()
      toast({ title: 'Clé d’accès retirée', description: passkey.name })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="password" label="Mot de passe">
        {(control) => <PasswordInput {...control} />}
      </Field>
      <Button type="submit" variant="danger" className="justify-self-end" loading={form.formState.isSubmitting}>
        Retirer la clé
      </Button>
    </form>
  )
}
