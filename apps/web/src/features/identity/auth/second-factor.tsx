import type { Assertion } from '@voisol/contract/reauthentication'
import KeyRound from 'lucide-react/icons/key-round'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Field } from '../../../components/field.tsx'
import { CodeInput } from '../../../components/password-input.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { canUsePasskeys, getPasskeyAssertion } from '../../../lib/passkey.ts'
import { AuthForm, AuthHeading, AuthNotice, showFormErrors } from './auth-form.tsx'

const TotpCode = z.object({ code: z.string().regex(/^\d{6}$/, 'Le code compte six chiffres, par exemple 123456.') })
const RecoveryCode = z.object({ code: z.string().trim().min(1).max(20) })

export type SecondFactorProof = { code: string } | { passkey: z.input<typeof Assertion> }
/** What the account may prove itself with, as the server named it. */
export type FactorNames = readonly string[]
type SubmitProof = (proof: SecondFactorProof) => Promise<unknown>

function CodeForm({ recovery, submit }: { recovery: boolean; submit: SubmitProof }) {
  const form = useSchemaForm(recovery ? RecoveryCode : TotpCode, {
    defaults: { code: '' },
    save: async ({ code }): Promise<void> => {
      await submit({ code }).catch((error) => showFormErrors(form, error))
    },
  })
  return (
    <AuthForm form={form} action="Vérifier et se connecter">
      {recovery ? (
        <Field
          form={form}
          name="code"
          label="Code de secours"
          autoComplete="off"
          autoFocus
          hint="L’un des codes gardés lors de l’activation. Chacun ne sert qu’une fois."
        />
      ) : (
        <Field form={form} name="code" label="Code à six chiffres">
          {(control) => <CodeInput {...control} autoFocus />}
        </Field>
      )}
    </AuthForm>
  )
}

type FactorMethod = 'code' | 'passkey' | 'recovery'
const METHOD_INSTRUCTIONS: Record<FactorMethod, string> = {
  code: 'Saisissez le code affiché par votre application d’authentification.',
  passkey: 'Confirmez avec votre clé d’accès\u00a0: empreinte, visage, code de l’appareil ou clé de sécurité.',
  recovery: 'Saisissez un code de secours pour remplacer votre téléphone ou votre clé.',
}
const METHOD_BUTTON_LABELS: Record<FactorMethod, string> = {
  code: 'Utiliser mon application',
  passkey: 'Utiliser une clé d’accès',
  recovery: 'Utiliser un code de secours',
}

const listMethods = (factors: FactorNames): FactorMethod[] => [
  ...(factors.includes('passkey') && canUsePasskeys() ? ['passkey' as const] : []),
  ...(factors.includes('code') || !factors.length ? ['code' as const] : []),
  'recovery',
]

type SecondFactorStepProps = { factors: FactorNames; submit: SubmitProof; onBack: () => void }

/** The second step of a sign-in: the same credentials go again with the code or the passkey. */
export function SecondFactorStep({ factors, submit, onBack }: SecondFactorStepProps) {
  const ways = listMethods(factors)
  const [way, setWay] = useState<FactorMethod>(ways[0] ?? 'recovery')
  return (
    <>
      <AuthHeading title="Vérification en deux étapes">{METHOD_INSTRUCTIONS[way]}</AuthHeading>
      {way === 'passkey' ? (
        <PasskeyButton variant="primary" run={(passkey) => submit({ passkey })}>
          Confirmer avec ma clé d’accès
        </PasskeyButton>
      ) : (
        <CodeForm key={way} recovery={way === 'recovery'} submit={submit} />
      )}
      <div className="flex flex-wrap gap-2">
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} variant="quiet" onClick={() => setWay(other)}>
              {METHOD_BUTTON_LABELS[other]}
            </Button>
          ))}
        <Button variant="quiet" onClick={onBack}>
          Revenir à la connexion
        </Button>
      </div>
    </>
  )
}

type PasskeyAssertion = Awaited<ReturnType<typeof getPasskeyAssertion>>
type PasskeyButtonProps = {
  run: (signed: PasskeyAssertion) => Promise<unknown>
  children: ReactNode
  variant?: 'primary' | 'secondary'
}

/** Asks the device for a passkey and hands on what it signed; why it did not work is said above. */
export function PasskeyButton({ run, children, variant = 'secondary' }: PasskeyButtonProps) {
  const [working, setWorking] = useState(false)
  const [failure, setFailure] = useState('')
  const start = async () => {
    setWorking(true)
    setFailure('')
    await getPasskeyAssertion()
      .then(run)
      .catch((error: unknown) => setFailure(explainError(error)))
    setWorking(false)
  }
  return (
    <div className="grid gap-4">
      {failure && (
        <AuthNotice tone="danger" focused>
          {failure}
        </AuthNotice>
      )}
      <Button
        variant={variant}
        size="large"
        className="w-full"
        icon={<KeyRound aria-hidden="true" />}
        loading={working}
        onClick={start}
      >
        {children}
      </Button>
    </div>
  )
}
