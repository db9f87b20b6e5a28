import { sso } from '@voisol/contract/sso'
import { Link, useSearchParams } from 'react-router'
import { Field } from '../../../components/field.tsx'
import { call } from '../../../lib/call.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { AuthForm, AuthHeading, showFormErrors } from './auth-form.tsx'
import { buildAuthLink } from './auth-mode.ts'
import { storeRedirect } from './enterprise-return.tsx'

/** The address says which provider knows the person: they go on there, and come back with what it says of them. */
export default function EnterpriseSignIn() {
  const [search] = useSearchParams()
  const form = useSchemaForm(sso.start.body, {
    defaults: { email: '' },
    save: async (body): Promise<void> => {
      try {
        const { url } = await call(sso.start, { body })
        storeRedirect(search.get('redirect'))
        location.assign(url)
      } catch (error) {
        showFormErrors(form, error)
      }
    },
  })
  return (
    <>
      <AuthHeading title="Connexion d’entreprise">
        Votre organisation vous fait entrer avec le compte que vous avez chez elle.
      </AuthHeading>
      <AuthForm form={form} action="Continuer">
        <Field
          form={form}
          name="email"
          label="Adresse e-mail professionnelle"
          type="email"
          autoComplete="username"
          inputMode="email"
        />
      </AuthForm>
      <p>
        <Link to={buildAuthLink(search)} className="text-link">
          Entrer avec un mot de passe
        </Link>
      </p>
    </>
  )
}
