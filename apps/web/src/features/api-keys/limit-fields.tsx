import type { UseFormReturn } from 'react-hook-form'
import { Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/textarea.tsx'

type LimitFormValues = { name: string; allowedNetworks: string; perSecond: string; perMonth: string; expiresOn: string }
export type ApiKeyLimitForm = Pick<UseFormReturn<LimitFormValues, unknown, never>, 'register' | 'formState'>

/** Until when, from where and how much: what may also be changed later. */
export const ApiKeyLimitFields = ({ form }: { form: ApiKeyLimitForm }) => (
  <>
    <Field
      form={form}
      name="expiresOn"
      label="Dernier jour"
      type="date"
      optional
      hint="Vous en serez averti 30, 7 et 1 jours avant. Sans date, la clé ne s’arrête que révoquée."
    />
    <Field
      form={form}
      name="allowedNetworks"
      label="Adresses acceptées"
      optional
      hint="Une adresse ou un réseau par ligne, par exemple 203.0.113.7 ou 2001:db8::/48. Vide, la clé ouvre de partout."
    >
      {(control) => <Textarea {...control} rows={3} className="font-mono text-[0.8125rem]" spellCheck={false} />}
    </Field>
    <div className="grid gap-4 sm:grid-cols-2">
      <Field form={form} name="perSecond" label="Appels par seconde" optional inputMode="numeric" placeholder="10" />
      <Field form={form} name="perMonth" label="Appels par mois" optional inputMode="numeric" placeholder="100000" />
    </div>
  </>
)
