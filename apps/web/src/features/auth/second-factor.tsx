import type { Assertion } from '@voisol/contract/assertion'
import { useState } from 'react'
import { z } from 'zod'
import { useSchemaForm } from '../../lib/form.ts'
import { canUsePasskeys } from '../../lib/passkey.ts'
import { Button } from '../../ui/button.tsx'
import { CodeInput } from '../../ui/code-input.tsx'
import { Field } from '../../ui/field.tsx'
import { FormFrame } from './form-frame.tsx'
import { Heading } from './heading.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { showRefusal } from './refusal.ts'

const Digits = z.object({ code: z.string().regex(/^\d{6}$/, 'Le code compte six chiffres, par exemple 123456.') })
const Recovery = z.object({ code: z.string().trim().min(1).max(20) })

export type Proof = { code: string } | { passkey: z.input<typeof Assertion> }
/** What the account may prove itself with, as the server named it. */
export type Factors = readonly string[]
type Submit = (proof: Proof) => Promise<unknown>

function CodeForm({ recovery, submit }: { recovery: boolean; submit: Submit }) {
  const form = useSchemaForm(recovery ? Recovery : Digits, {
    defaults: { code: '' },
    save: async ({ code }): Promise<void> => {
      await submit({ code }).catch((error) => showRefusal(form, error))
    },
  })
  return (
    <FormFrame form={form} action="Vérifier et se connecter">
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
    </FormFrame>
  )
}

type Way = 'code' | 'passkey' | 'recovery'
const WORDS: Record<Way, string> = {
  code: 'Saisissez le code affiché par votre application d’authentification.',
  passkey: 'Confirmez avec votre clé d’accès\u00a0: empreinte, visage, code de l’appareil ou clé de sécurité.',
  recovery: 'Saisissez un code de secours pour remplacer votre téléphone ou votre clé.',
}
const OFFERS: Record<Way, string> = {
  code: 'Utiliser mon application',
  passkey: 'Utiliser une clé d’accès',
  recovery: 'Utiliser un code de secours',
}

const waysOf = (factors: Factors): Way[] => [
  ...(factors.includes('passkey') && canUsePasskeys() ? ['passkey' as const] : []),
  ...(factors.includes('code') || !factors.length ? ['code' as const] : []),
  'recovery',
]

type SecondFactorProps = { factors: Factors; submit: Submit; onBack: () => void }

/** The second step of a sign-in: the same credentials go again with the code or the passkey. */
export function SecondFactor({ factors, submit, onBack }: SecondFactorProps) {
  const ways = waysOf(factors)
  const [way, setWay] = useState<Way>(ways[0] ?? 'recovery')
  return (
    <>
      <Heading title="Vérification en deux étapes">{WORDS[way]}</Heading>
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
              {OFFERS[other]}
            </Button>
          ))}
        <Button variant="quiet" onClick={onBack}>
          Revenir à la connexion
        </Button>
      </div>
    </>
  )
}
