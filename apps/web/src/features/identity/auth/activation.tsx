import { portalManagement } from '@voisol/contract/portal-management'
import { useState } from 'react'
import { Link } from 'react-router'
import { Field } from '../../../components/field.tsx'
import { call } from '../../../lib/call.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { AuthForm, AuthHeading, AuthNotice, showFormErrors } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'

type ActivationResult = { email: string; companyName: string; known: boolean }

/** After the #, so that it was sent to nobody on the way. */
const getCodeFromUrl = () => decodeURIComponent(location.hash.slice(1)).slice(0, 40)

function CodeForm({ onSent }: { onSent: (sent: ActivationResult) => void }) {
  const form = useSchemaForm(portalManagement.activate.body, {
    defaults: { code: getCodeFromUrl(), email: '' },
    save: async (body): Promise<void> => {
      await call(portalManagement.activate, { body }).then(
        (answer) => onSent({ ...answer, email: body.email }),
        (error) => showFormErrors(form, error),
      )
    },
  })
  return (
    <AuthForm form={form} action="Ouvrir mon espace">
      <Field
        form={form}
        name="code"
        label="Code de la lettre"
        hint="Seize signes, par exemple 7KQF-2M9X-HB4T-6WPD."
        autoComplete="off"
      />
      <Field
        form={form}
        name="email"
        label="Adresse e-mail"
        hint="Elle servira à vous connecter."
        type="email"
        autoComplete="email"
        inputMode="email"
      />
    </AuthForm>
  )
}

const ActivationDone = ({ email, companyName, known }: ActivationResult) => (
  <>
    <AuthNotice tone="success" focused>
      {known ? (
        <>
          Votre espace chez {companyName} s’ouvre avec votre compte <strong className="break-all">{email}</strong>.
        </>
      ) : (
        <>
          Un message de {companyName} vient de partir à <strong className="break-all">{email}</strong>. Ouvrez-le pour
          choisir votre mot de passe.
        </>
      )}
    </AuthNotice>
    {known ? (
      <p>
        <Link to="/login" className="text-link">
          Me connecter
        </Link>
      </p>
    ) : (
      <p className="text-ink-soft">
        Rien reçu après quelques minutes{'\u00a0'}? Regardez dans les courriers indésirables, ou demandez à votre
        organisateur.
      </p>
    )}
  </>
)

/** Somebody holds a letter with a code. */
export default function Activation() {
  const [sent, setSent] = useState<ActivationResult>()
  return (
    <AuthLayout>
      <AuthHeading title="Ouvrir mon espace">
        {sent ? undefined : 'Avec le code de votre lettre et une adresse e-mail à vous.'}
      </AuthHeading>
      {sent ? <ActivationDone {...sent} /> : <CodeForm onSent={setSent} />}
    </AuthLayout>
  )
}
