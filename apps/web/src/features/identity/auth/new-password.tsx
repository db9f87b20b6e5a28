import { auth, ChangePassword } from '@voisol/contract/auth'
import { Field } from '../../../components/field.tsx'
import { PasswordInput } from '../../../components/password-input.tsx'
import { call } from '../../../lib/call.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { refreshUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { AuthForm, showFormErrors } from './auth-form.tsx'

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

export const MIN_PASSWORD_LENGTH = 12
/** Administrators without a second factor. */
export const MIN_ADMIN_PASSWORD_LENGTH = 15

const buildLengthHint = (least: number) =>
  `${least}\u00a0caractères au moins\u00a0; une phrase de plusieurs mots convient.`
export const clientPasswordHint = buildLengthHint(MIN_PASSWORD_LENGTH)
export const adminPasswordHint = buildLengthHint(MIN_ADMIN_PASSWORD_LENGTH)
export const anyPasswordHint = `${MIN_PASSWORD_LENGTH}\u00a0caractères au moins, ${MIN_ADMIN_PASSWORD_LENGTH} pour un administrateur\u00a0; une phrase convient.`
