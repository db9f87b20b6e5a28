import type { AccountRequirement, CurrentUser } from '@voisol/contract/auth'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { AuthHeading } from '../../features/identity/auth/auth-form.tsx'
import { AuthLayout } from '../../features/identity/auth/auth-layout.tsx'
import { RequiredPasswordForm } from '../../features/identity/auth/new-password.tsx'
import { AddPasskey, RecoveryCodes, SecondFactorSetup } from '../../features/identity/profile/account-security.tsx'
import { explainError } from '../../lib/error-text.ts'
import { canUsePasskeys } from '../../lib/passkey.ts'
import { logout } from '../../lib/session.ts'
import { switchSessionCompany, switchSessionSpace } from '../../lib/session-place.ts'
import { toast } from '../../lib/toast.ts'

type AccountRequirementProps = { duty: AccountRequirement; user: CurrentUser; onDone: () => void }

function SecondFactorEnrolment({ onDone }: Pick<AccountRequirementProps, 'onDone'>) {
  const [codes, setCodes] = useState<string[]>()
  const [byPasskey, setByPasskey] = useState(false)
  if (!codes)
    return (
      <>
        {byPasskey ? (
          <AddPasskey onAdded={(fresh) => (fresh ? setCodes(fresh) : onDone())} />
        ) : (
          <SecondFactorSetup onCodes={setCodes} />
        )}
        {canUsePasskeys() && (
          <Button variant="quiet" className="-ml-4 justify-self-start" onClick={() => setByPasskey(!byPasskey)}>
            {byPasskey ? 'Utiliser plutôt une application d’authentification' : 'Utiliser plutôt une clé d’accès'}
          </Button>
        )}
      </>
    )
  return (
    <>
      <RecoveryCodes codes={codes} />
      <Button size="large" className="w-full" onClick={onDone}>
        J’ai gardé mes codes, continuer
      </Button>
    </>
  )
}

const notifyFailure = (error: unknown) =>
  toast({ title: 'Changement impossible', description: explainError(error), variant: 'destructive' })

/** Nobody is held here: another company or space may ask for nothing, and leaving is always possible. */
function OtherOptions({ duty, user, onDone }: AccountRequirementProps) {
  const portal = duty === 'password' && user.spaces.includes('portal')
  return (
    <div className="border-t border-line pt-4">
      <div className="-ml-4 flex flex-wrap gap-x-2">
        {user.companies
          .filter(({ id }) => id !== user.companyId)
          .map(({ id, name }) => (
            <Button key={id} variant="quiet" onClick={() => switchSessionCompany(user, id).then(onDone, notifyFailure)}>
              Ouvrir {name}
            </Button>
          ))}
        {portal && (
          <Button variant="quiet" onClick={() => switchSessionSpace('portal').then(onDone, notifyFailure)}>
            Aller à mon espace client
          </Button>
        )}
        <Button variant="quiet" onClick={() => void logout()}>
          Se déconnecter
        </Button>
      </div>
    </div>
  )
}

/** What an account must do before anything else is shown: the server refuses the rest. */
export function AccountRequirementPage(props: AccountRequirementProps) {
  const { duty, user, onDone } = props
  const [withCode, setWithCode] = useState(duty === 'second-factor')
  return (
    <AuthLayout>
      {duty === 'second-factor' ? (
        <AuthHeading title="Protégez votre compte">
          {user.companyName} demande la double authentification. Activez-la pour continuer{'\u00a0'}: cela prend une
          minute.
        </AuthHeading>
      ) : (
        <AuthHeading title="Un mot de passe plus long">
          Votre rôle chez {user.companyName} ({user.roleName}) ouvre le back-office. Choisissez un mot de passe d’au
          moins 15{'\u00a0'}caractères, ou activez la double authentification.
        </AuthHeading>
      )}
      {withCode ? <SecondFactorEnrolment onDone={onDone} /> : <RequiredPasswordForm onDone={onDone} />}
      {duty === 'password' && (
        <Button variant="quiet" className="-ml-4 justify-self-start" onClick={() => setWithCode(!withCode)}>
          {withCode ? 'Choisir plutôt un mot de passe plus long' : 'Activer plutôt la double authentification'}
        </Button>
      )}
      <OtherOptions {...props} />
    </AuthLayout>
  )
}
