import type { Consent } from '@voisol/contract/consents'
import { ConsentPurpose } from '@voisol/contract/consents'
import type { Proof } from '@voisol/contract/signatures'
import type { Db } from '../../../db/client.ts'
import { consents } from '../../../db/schema/index.ts'
import { toParisDay } from '../../../today.ts'
import { loadConsents } from './kept.ts'

const MAX_CONSENT_YEARS = 3

type StoreSignedConsentsInput = {
  companyId: number
  participantId: string
  given: readonly { purpose: string; version: string }[]
  proof: Proof
}

/**
 * Stores the consents signed on the joining page, as of the signature. Later decisions are kept; the caller records the
 * event last.
 */
export async function storeSignedConsents(
  tx: Db,
  { companyId, participantId, given, proof }: StoreSignedConsentsInput,
): Promise<Consent[]> {
  const before = await loadConsents(tx, companyId, [participantId])
  const isDecidedSince = (purpose: string) =>
    before.some((one) => one.purpose === purpose && (one.withdrawnAt ?? one.givenAt) >= proof.at)
  const givenAt = new Date(proof.at)
  const expiresOn = Temporal.PlainDate.from(toParisDay(proof.at)).add({ years: MAX_CONSENT_YEARS }).toString()
  const values = given
    .filter(({ purpose }) => ConsentPurpose.safeParse(purpose).success && !isDecidedSince(purpose))
    .map(({ purpose, version: textVersion }) => ({
      companyId,
      participantId,
      purpose,
      textVersion,
      method: 'joining',
      givenAt,
      expiresOn,
      recordedBy: proof.name,
      ip: proof.ip,
    }))
  if (!values.length) return []
  const added = await tx.insert(consents).values(values).returning({ id: consents.id })
  const ids = added.map(({ id }) => id)
  return (await loadConsents(tx, companyId, [participantId])).filter(({ id }) => ids.includes(id))
}
