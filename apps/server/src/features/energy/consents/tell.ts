import type { Consent } from '@voisol/contract/consents'
import { recordEach } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'

/** What people agreed to, or take back: told last, since whatever happens in the company waits from then on. */
export const tellConsents = (tx: Db, companyId: number, what: 'given' | 'withdrawn', all: Consent[]) =>
  recordEach(
    tx,
    companyId,
    `consent.${what}`,
    all.map(({ id, participantId, purpose, expiresOn }) => ({
      object: id,
      data: { consentId: id, participantId, purpose, expiresOn },
    })),
  )
