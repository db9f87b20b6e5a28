import type { CurrentUser } from '@voisol/contract/auth'
import { ProfileUpdate, profile } from '@voisol/contract/profile'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { setUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'

export function ProfileIdentity({ user }: { user: CurrentUser }) {
  const update = useAction(profile.update, [])
  const { firstName, lastName, phone, version } = user
  const form = useSchemaForm(ProfileUpdate, {
    defaults: { firstName, lastName, phone, version },
    save: async (body) => {
      const saved = await update.run({ body })
      setUser(saved)
      form.reset({ firstName: saved.firstName, lastName: saved.lastName, phone: saved.phone, version: saved.version })
      toast({ title: 'Profil enregistré', variant: 'success' })
    },
  })
  return (
    <Card title="Coordonnées" description={`Adresse de connexion\u00a0: ${user.email}`}>
      <form onSubmit={form.submit} noValidate className="grid max-w-xl gap-4">
        <FormErrors form={form} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field form={form} name="firstName" label="Prénom" autoComplete="given-name" />
          <Field form={form} name="lastName" label="Nom" autoComplete="family-name" />
        </div>
        <Field form={form} name="phone" label="Téléphone" type="tel" autoComplete="tel" optional />
        <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
          Enregistrer mes coordonnées
        </Button>
      </form>
    </Card>
  )
}
