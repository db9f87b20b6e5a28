import { CredentialDraft, type EnedisCredential } from '@voisol/contract/enedis'
import { Id } from '@voisol/contract/primitives'
import { z } from 'zod'

/** The contract's own rules; a select says « the whole company » with an empty value. */
export const CredentialForm = CredentialDraft.extend({
  operationId: z.union([z.literal('').transform(() => null), Id]),
})

export const COMPANY_SCOPE = ''

type NamedOperation = { id: string; name: string }
/** What has no credentials yet: the company as a whole, and each of its operations. */
export function listFreeScopes(operations: NamedOperation[], credentials: Pick<EnedisCredential, 'operationId'>[]) {
  const taken = new Set(credentials.map(({ operationId }) => operationId ?? COMPANY_SCOPE))
  return [
    { value: COMPANY_SCOPE, label: 'Toute l’entreprise' },
    ...operations.map(({ id, name }) => ({ value: id, label: name })),
  ].filter(({ value }) => !taken.has(value))
}
