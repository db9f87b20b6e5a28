import type { Consent } from '@voisol/contract/consents'
import { recordEvents } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'

/** What people agreed to, or take back: told last, since whatever happens in the company waits from then on. */
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
