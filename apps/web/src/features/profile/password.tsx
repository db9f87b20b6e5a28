import { auth, ChangePassword } from '@voisol/contract/auth'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'

export function PasswordCard() {
  const change = useAction(auth.changePassword, [auth.sessions])
  const form = useSchemaForm(ChangePassword, {
    defaults: { current: '', password: '' },
    save: async (body) => {
      await change.run({ body })
      form.reset()
      toast({ title: 'Mot de passe changé', description: 'Vos autres sessions ont été fermées.', variant: 'success' })
    },
  })
  return (
    <Card title="Mot de passe" description="Une phrase de plusieurs mots est plus sûre et plus facile à retenir.">
      <form onSubmit={form.submit} noValidate className="grid max-w-xl gap-4">
        <FormErrors form={form} />
        <Field form={form} name="current" label="Mot de passe actuel">
          {(control) => <PasswordInput {...control} />}
        </Field>
        <Field form={form} name="password" label="Nouveau mot de passe">
          {(control) => <PasswordInput {...control} advice />}
        </Field>
        <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
          Changer le mot de passe
        </Button>
      </form>
    </Card>
  )
}
