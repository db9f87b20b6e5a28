import type { ReauthenticationProof } from '@voisol/contract/reauthentication'
import KeyRound from 'lucide-react/icons/key-round'
import { useEffect, useState } from 'react'
import type { DefaultValues, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { useSchemaForm } from '../lib/form.ts'
import { canUsePasskeys, getPasskeyAssertion } from '../lib/passkey.ts'
import { useSession } from '../lib/session.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { PasswordInput } from './password-input.tsx'

/** Stands among the fields of a form that proves again who acts; the server says when it may stay empty. */
export const reauthenticationFields = { password: z.string().max(1024) }
type ReauthenticationSchema = z.ZodType<FieldValues & { password: string }, FieldValues & { password: string }>

/** A form whose call carries a password or a passkey: `save` receives the values and that proof. */
export function useReauthenticationForm<S extends ReauthenticationSchema>(
  schema: S,
  options: {
    defaults: DefaultValues<z.input<S>>
    save: (values: z.output<S>, proof: ReauthenticationProof) => Promise<unknown>
  },
) {
  const [isByPasskey, setIsByPasskey] = useState(false)
  const { submitWith, ...form } = useSchemaForm(schema, {
    defaults: options.defaults,
    save: (values) => {
      setIsByPasskey(false)
      return options.save(values, values.password ? { password: values.password } : {})
    },
  })
  const submitByPasskey = submitWith(async (values) => {
    setIsByPasskey(true)
    await options.save(values, { passkey: await getPasskeyAssertion() })
  })
  return { ...form, submitByPasskey, isByPasskey }
}

type ReauthenticationProps<V extends FieldValues, C, O> = {
  form: Pick<UseFormReturn<V, C, O>, 'register' | 'formState' | 'setFocus'> & {
    submitByPasskey: () => Promise<void>
    isByPasskey: boolean
  }
  /** The button that sends the form with the password, named by its consequence. */
  action: string
  align?: 'start' | 'end'
}

/** The end of such a form: the password, the passkey of whoever has one, and the button that sends it. */
export function Reauthentication<V extends FieldValues & { password: string }, C, O>({
  form,
  action,
  align = 'end',
}: ReauthenticationProps<V, C, O>) {
  const { user } = useSession()
  const { isSubmitting, errors } = form.formState
  const name = 'password' as FieldPath<V> // every such form has it
  // The form may be the end of a long dialog: what the server refuses stays in sight.
  useEffect(() => {
    if (errors.password) form.setFocus(name)
  }, [errors.password, form.setFocus, name])
  return (
    <>
      <Field
        form={form}
        name={name}
        label="Mot de passe"
        optional={user?.bySingleSignOn}
        hint={
          user?.bySingleSignOn
            ? 'Laissez vide si votre connexion d’entreprise date de moins de quinze minutes.'
            : 'Pour confirmer que c’est bien vous.'
        }
      >
        {(control) => <PasswordInput {...control} />}
      </Field>
      <div className={align === 'end' ? 'flex flex-wrap justify-end gap-2' : 'flex flex-wrap gap-2'}>
        {canUsePasskeys() && user?.secondFactors.includes('passkey') && (
          <Button
            variant="secondary"
            icon={<KeyRound aria-hidden="true" />}
            disabled={isSubmitting}
            loading={isSubmitting && form.isByPasskey}
            onClick={() => void form.submitByPasskey()}
          >
            Confirmer avec ma clé d’accès
          </Button>
        )}
        <Button type="submit" disabled={isSubmitting} loading={isSubmitting && !form.isByPasskey}>
          {action}
        </Button>
      </div>
    </>
  )
}
