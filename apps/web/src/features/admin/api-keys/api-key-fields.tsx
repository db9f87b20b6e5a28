import { type ApiKey, ApiKeyChange, NewApiKey } from '@voisol/contract/api-keys'
import { Network } from '@voisol/contract/networks'
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { CodePanel } from '../../../components/code/code-block.tsx'
import { Field } from '../../../components/field.tsx'
import { Textarea } from '../../../components/input.tsx'
import { dayInputSchema, numberInputSchema } from '../../../lib/field-schemas.ts'

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

/** One a line, or between commas. */
const networksField = z.string().transform((text, context) => {
  const lines = text.split(/[\s,;]+/).filter(Boolean)
  const wrong = lines.find((line) => !Network.safeParse(line).success)
  if (wrong === undefined) return lines
  const message = `«\u00a0${wrong}\u00a0» n’est ni une adresse ni un réseau. Exemples\u00a0: 203.0.113.7, 203.0.113.0/24, 2001:db8::/48.`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

/** A limit, or nothing for none. */
const limitField = (max: number) => z.union([z.literal('').transform(() => null), numberInputSchema({ min: 1, max })])

const TYPED_FIELDS = {
  allowedNetworks: networksField,
  perSecond: limitField(1000),
  perMonth: limitField(100_000_000),
  expiresOn: dayInputSchema,
}
export const ApiKeyDraft = NewApiKey.extend(TYPED_FIELDS)
export const ApiKeyChangeForm = ApiKeyChange.extend(TYPED_FIELDS)

const toInputText = (value: number | null) => (value === null ? '' : String(value))

/** What a form shows of a key. */
export const toApiKeyFormValues = ({ name, allowedNetworks, perSecond, perMonth, expiresOn }: ApiKey) => ({
  name,
  allowedNetworks: allowedNetworks.map((network) => network.replace(/\/(32|128)$/, '')).join('\n'),
  perSecond: toInputText(perSecond),
  perMonth: toInputText(perMonth),
  expiresOn: expiresOn ?? '',
})

const buildCurlExample = (key: string) =>
  `curl '${window.location.origin}/api/acc-operations?limit=5' \\\n  -H "Authorization: Bearer ${key}"`

/** The one time the key is seen. */
export function ApiKeySecret({ secret, note, onDone }: { secret: string; note: string; onDone: () => void }) {
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <p role="status" className="rounded-card bg-warning-soft p-4 text-body text-warning">
        Copiez cette clé maintenant&nbsp;: Voisol n’en garde qu’une empreinte, et ne pourra plus vous la montrer. {note}
      </p>
      <CodePanel label="Votre clé" code={secret} language="text" copy="Copier la clé" />
      <CodePanel label="Un premier appel" code={buildCurlExample(secret)} language="bash" copy="Copier l’exemple" />
      <Button className="justify-self-end" onClick={onDone}>
        J’ai copié la clé
      </Button>
    </div>
  )
}
