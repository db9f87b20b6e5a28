import type { RequestKind } from '@voisol/contract/requests'
import { and, eq } from 'drizzle-orm'
import { loadSiteOwnerId, SITE_OWNER_ID } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { requests } from '../../../db/schema/index.ts'
import { requireSingleLine, toSingleLine } from '../../../plain-text.ts'
import { sha256 } from '../../../secrets.ts'

export type RequestRow = typeof requests.$inferSelect
type RequestValues = Omit<typeof requests.$inferInsert, 'companyId' | 'fingerprint'> & { kind: RequestKind }
type PersonInput = { firstName: string; lastName: string; email: string; company: string }

export const cleanPerson = ({ firstName, lastName, email, company }: PersonInput) => ({
  firstName: requireSingleLine('firstName', firstName),
  lastName: requireSingleLine('lastName', lastName),
  company: toSingleLine(company),
  email,
})

/** Keeps a request once: `same` is what makes two of them the same one. */
export async function storeRequest(
  tx: Db,
  values: RequestValues,
  same: string[],
): Promise<{ row: RequestRow; isNew: boolean }> {
  const fingerprint = sha256(JSON.stringify([values.kind, values.email, ...same])).toString('hex')
  const [added] = await tx
    .insert(requests)
    .values({ ...values, companyId: await loadSiteOwnerId(tx), fingerprint })
    .onConflictDoNothing({ target: [requests.companyId, requests.fingerprint] })
    .returning()
  if (added) return { row: added, isNew: true }
  const [row] = await tx
    .select()
    .from(requests)
    .where(and(eq(requests.companyId, SITE_OWNER_ID), eq(requests.fingerprint, fingerprint)))
    .for('update')
  if (!row) throw new Error('the request was removed at this instant')
  return { row, isNew: false }
}
