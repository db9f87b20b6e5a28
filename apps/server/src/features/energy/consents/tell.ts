import type { Consent } from '@voisol/contract/consents'
import { recordEvents } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'

/** Records consent events at the end of the transaction, since other events of the company wait from then on. */
export const recordConsentEvents = (tx: Db, companyId: number, what: 'given' | 'withdrawn', all: Consent[]) =>
  recordEvents(
    tx,
    companyId,
    `consent.${what}`,
    all.map(({ id, participantId, purpose, expiresOn }) => ({
      object: id,
      data: { consentId: id, participantId, purpose, expiresOn },
    })),
  )
