import { auth, ChangePassword } from '@voisol/contract/auth'
import { call } from '../../lib/call.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { refreshUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { AuthForm } from './form-frame.tsx'
import { adminPasswordHint } from './password-rule.ts'
import { showFormErrors } from './refusal.ts'

/** The longer password that a role of the back office asks for. */
export function RequiredPasswordForm({ onDone }: { onDone: () => void }) {
  const form = useSchemaForm(ChangePassword, {
    defaults: { current: '', password: '' },
    save: async (body): Promise<void> => {
      try {
        await call(auth.changePassword, { body })
        await refreshUser()
        toast({ title: 'Mot de passe changé', description: 'Vos autres sessions ont été fermées.', variant: 'success' })
        onDone()
      } catch (error) {
        showFormErrors(form, error)
      }
    },
  })
  return (
    <AuthForm form={form} action="Changer le mot de passe et continuer">
      <Field form={form} name="current" label="Mot de passe actuel">
        {(control) => <PasswordInput {...control} />}
      </Field>
      <Field form={form} name="password" label="Nouveau mot de passe" hint={adminPasswordHint}>
        {(control) => <PasswordInput {...control} advice />}
      </Field>
    </AuthForm>
  )
}
