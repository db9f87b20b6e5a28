import type { ApiKey } from '@voisol/contract/api-keys'
import { ApiKeyChange, NewApiKey } from '@voisol/contract/api-keys'
import { Network } from '@voisol/contract/networks'
import { z } from 'zod'
import { dayInputSchema, numberInputSchema } from '../../lib/typed-fields.ts'

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
