import { useState } from 'react'
import { z } from 'zod'
import { useSchemaForm } from '../../lib/form.ts'
import { Button } from '../../ui/button.tsx'
import { CodeInput } from '../../ui/code-input.tsx'
import { Field } from '../../ui/field.tsx'
import { FormFrame } from './form-frame.tsx'
import { Heading } from './heading.tsx'
import { showRefusal } from './refusal.ts'

const Digits = z.object({ code: z.string().regex(/^\d{6}$/, 'Le code compte six chiffres, par exemple 123456.') })
const Recovery = z.object({ code: z.string().trim().min(1).max(20) })

type Submit = (code: string) => Promise<unknown>

function CodeForm({ recovery, submit }: { recovery: boolean; submit: Submit }) {
  const form = useSchemaForm(recovery ? Recovery : Digits, {
    defaults: { code: '' },
    save: async ({ code }): Promise<void> => {
      await submit(code).catch((error) => showRefusal(form, error))
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

/** The second step of a sign-in: the same credentials go again with the code. */
export function SecondFactor({ submit, onBack }: { submit: Submit; onBack: () => void }) {
  const [recovery, setRecovery] = useState(false)
  return (
    <>
      <Heading title="Vérification en deux étapes">
        {recovery
          ? 'Saisissez un code de secours pour remplacer votre téléphone.'
          : 'Saisissez le code affiché par votre application d’authentification.'}
      </Heading>
      <CodeForm key={String(recovery)} recovery={recovery} submit={submit} />
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" onClick={() => setRecovery(!recovery)}>
          {recovery ? 'Utiliser mon application' : 'Utiliser un code de secours'}
        </Button>
        <Button variant="quiet" onClick={onBack}>
          Revenir à la connexion
        </Button>
      </div>
    </>
  )
}
