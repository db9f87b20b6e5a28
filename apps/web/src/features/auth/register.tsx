import { Registration } from '@voisol/contract/auth'
import { Link, useSearchParams } from 'react-router'
import { z } from 'zod'
import { useSchemaForm } from '../../lib/form.ts'
import { register } from '../../lib/session.ts'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { AuthForm } from './form-frame.tsx'
import { AuthHeading } from './heading.tsx'
import { buildAuthLink } from './mode.ts'
import { adminPasswordHint, MIN_ADMIN_PASSWORD_LENGTH } from './password-rule.ts'
import { showFormErrors } from './refusal.ts'

/** Whoever registers administers the new company: the longer password is asked at once. */
const Schema = Registration.omit({ phone: true }).extend({
  password: z.string().min(MIN_ADMIN_PASSWORD_LENGTH).max(1024),
})

function RegisterForm() {
  const form = useSchemaForm(Schema, {
    defaults: { firstName: '', lastName: '', companyName: '', email: '', password: '' },
    save: async (fields): Promise<void> => {
      await register(fields).catch((error) => showFormErrors(form, error))
    },
  })
  return (
    <AuthForm form={form} action="Commencer mes 30&nbsp;jours d’essai">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field form={form} name="firstName" label="Prénom" autoComplete="given-name" />
        <Field form={form} name="lastName" label="Nom" autoComplete="family-name" />
      </div>
      <Field
        form={form}
        name="companyName"
        label="Nom de votre organisation"
        autoComplete="organization"
        placeholder="Copropriété, collectivité, entreprise…"
      />
      <Field form={form} name="email" label="Adresse e-mail" type="email" autoComplete="email" inputMode="email" />
      <Field form={form} name="password" label="Mot de passe" hint={adminPasswordHint}>
        {(control) => <PasswordInput {...control} autoComplete="new-password" />}
      </Field>
    </AuthForm>
  )
}

export function Register() {
  const [search] = useSearchParams()
  return (
    <>
      <AuthHeading title="Essai gratuit de 30&nbsp;jours">
        Toutes les fonctions, sans frais d’installation. Votre organisation est créée tout de suite et vous en êtes
        l’administrateur.
      </AuthHeading>
      <RegisterForm />
      <p className="text-ink-soft">
        Déjà un compte{'\u00a0'}?{' '}
        <Link to={buildAuthLink(search)} className="text-link">
          Se connecter
        </Link>
      </p>
    </>
  )
}
