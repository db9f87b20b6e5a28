import type { UseFormReturn } from 'react-hook-form'
import { Field } from '../../../components/field.tsx'

type AccountValues = { holder: string; iban: string; bic: string }
type Props<V extends AccountValues, O> = {
  form: Pick<UseFormReturn<V, unknown, O>, 'register' | 'formState'>
  hint?: string
}

/** Whose account, and its number. */
export function AccountFields<V extends AccountValues, O>({ form, hint = 'Avec ou sans espaces.' }: Props<V, O>) {
  // Every form of an account has these three fields.
  const names = { holder: 'holder', iban: 'iban', bic: 'bic' } as Record<keyof AccountValues, never>
  return (
    <>
      <Field form={form} name={names.holder} label="Titulaire du compte" autoComplete="name" />
      <Field form={form} name={names.iban} label="IBAN" hint={hint} autoComplete="off" />
      <Field form={form} name={names.bic} label="BIC" autoComplete="off" optional />
    </>
  )
}
