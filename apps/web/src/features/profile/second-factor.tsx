import { auth, type CurrentUser } from '@voisol/contract/auth'
import { useState } from 'react'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { refreshUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecondFactorSetup } from './second-factor-setup.tsx'

/** Both ways out of the second factor ask for the password again. */
function PasswordForm({ action, run }: { action: string; run: (password: string) => Promise<unknown> }) {
  const form = useSchemaForm(auth.disableSecondFactor.body, {
    defaults: { password: '' },
    save: ({ password }) => run(password),
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="password" label="Mot de passe">
        {(control) => <PasswordInput {...control} />}
      </Field>
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        {action}
      </Button>
    </form>
  )
}

export function SecondFactorCard({ user }: { user: CurrentUser }) {
  const [codes, setCodes] = useState<string[]>()
  const [dialog, setDialog] = useState<'codes' | 'disable'>()
  const disable = useAction(auth.disableSecondFactor, [])
  const renew = useAction(auth.renewRecoveryCodes, [])
  const close = () => setDialog(undefined)
  const isCodeEnabled = user.secondFactors.includes('code')
  const tone = user.secondFactor ? 'success' : 'warning'
  return (
    <Card
      title="Double authentification"
      description="Un code de votre téléphone s’ajoute au mot de passe."
      actions={
        <Badge tone={tone}>{isCodeEnabled ? 'Activée' : user.secondFactor ? 'Par clé d’accès' : 'Non activée'}</Badge>
      }
    >
      <div className="grid gap-4">
        {codes && <RecoveryCodes codes={codes} />}
        {!isCodeEnabled && <SecondFactorSetup onCodes={setCodes} />}
        {user.secondFactor && (
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => setDialog('codes')}>
              Renouveler les codes de secours
            </Button>
            {isCodeEnabled && (
              <Button variant="secondary" onClick={() => setDialog('disable')}>
                Désactiver
              </Button>
            )}
          </div>
        )}
      </div>
      <Dialog
        title="Renouveler les codes de secours"
        description="Les anciens codes ne serviront plus."
        open={dialog === 'codes'}
        onOpenChange={close}
      >
        <PasswordForm
          action="Renouveler les codes"
          run={async (password) => {
            setCodes((await renew.run({ body: { password } })).recoveryCodes)
            close()
          }}
        />
      </Dialog>
      <Dialog
        title="Désactiver la double authentification"
        description={
          user.secondFactors.includes('passkey')
            ? 'Vos clés d’accès resteront demandées à la connexion.'
            : 'Votre mot de passe suffira pour vous connecter.'
        }
        open={dialog === 'disable'}
        onOpenChange={close}
      >
        <PasswordForm
          action="Désactiver"
          run={async (password) => {
            await disable.run({ body: { password } })
            await refreshUser()
            setCodes(undefined)
            close()
            toast({ title: 'Double authentification désactivée' })
          }}
        />
      </Dialog>
    </Card>
  )
}
