import type { Consent } from '@voisol/contract/consents'
import type { Db } from '../src/db/client.ts'
import { consents } from '../src/db/schema/index.ts'

/** Paper consents with a long validity; their ids, in the order of the participants. */
export async function makeConsents(
  db: Db,
  companyId: number,
  participantIds: string[],
  purpose: Consent['purpose'] = 'comparison',
): Promise<string[]> {
  const given = { companyId, purpose, textVersion: '2026-01', method: 'paper', recordedBy: 'test' }
  const rows = await db
    .insert(consents)
    .values(
      participantIds.map((participantId) => ({
        ...given,
        participantId,
        givenAt: new Date('2025-01-01T09:00:00Z'),
        expiresOn: '2999-01-01',
      })),
    )
    .returning({ id: consents.id })
  return rows.map(({ id }) => id)
}
