import { sso } from '@voisol/contract/sso'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../lib/call.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { Field } from '../../ui/field.tsx'
import { keepWanted } from './enterprise-return.tsx'
import { FormFrame } from './form-frame.tsx'
import { Heading } from './heading.tsx'
import { modeLink } from './mode.ts'
import { showRefusal } from './refusal.ts'

/** The address says which provider knows the person: they go on there, and come back with what it says of them. */
export default function Enterprise() {
  const [search] = useSearchParams()
  const form = useSchemaForm(sso.start.body, {
    defaults: { email: '' },
    save: async (body): Promise<void> => {
      try {
        const { url } = await call(sso.start, { body })
        keepWanted(search.get('redirect'))
        location.assign(url)
      } catch (error) {
        showRefusal(form, error)
      }
    },
  })
  return (
    <>
      <Heading title="Connexion d’entreprise">
        Votre organisation vous fait entrer avec le compte que vous avez chez elle.
      </Heading>
      <FormFrame form={form} action="Continuer">
        <Field
          form={form}
          name="email"
          label="Adresse e-mail professionnelle"
          type="email"
          autoComplete="username"
          inputMode="email"
        />
      </FormFrame>
      <p>
        <Link to={modeLink(search)} className="text-link">
          Entrer avec un mot de passe
        </Link>
      </p>
    </>
  )
}
