import type { RequestKind } from '@voisol/contract/requests'
import { and, eq } from 'drizzle-orm'
import { SITE, siteCompany } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { requests } from '../../../db/schema/index.ts'
import { oneLine, requiredLine } from '../../../plain-text.ts'
import { sha256 } from '../../../secrets.ts'

export type RequestRow = typeof requests.$inferSelect
type Values = Omit<typeof requests.$inferInsert, 'companyId' | 'fingerprint'> & { kind: RequestKind }
type Person = { firstName: string; lastName: string; email: string; company: string }

export const personOf = ({ firstName, lastName, email, company }: Person) => ({
  firstName: requiredLine('firstName', firstName),
  lastName: requiredLine('lastName', lastName),
  company: oneLine(company),
  email,
})

/** Keeps a request once: `same` is what makes two of them the same one. */
export async function keepRequest(
  tx: Db,
  values: Values,
  same: string[],
): Promise<{ row: RequestRow; isNew: boolean }> {
  const fingerprint = sha256(JSON.stringify([values.kind, values.email, ...same])).toString('hex')
  const [added] = await tx
    .insert(requests)
    .values({ ...values, companyId: await siteCompany(tx), fingerprint })
    .onConflictDoNothing({ target: [requests.companyId, requests.fingerprint] })
    .returning()
  if (added) return { row: added, isNew: true }
  const [row] = await tx
    .select()
    .from(requests)
    .where(and(eq(requests.companyId, SITE), eq(requests.fingerprint, fingerprint)))
    .for('update')
  if (!row) throw new Error('the request was removed at this instant')
  return { row, isNew: false }
}
