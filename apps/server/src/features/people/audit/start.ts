import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { auditStarts } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'

/** The last entry deleted after its retention period: the chain continues from its hash. */
export type ChainStart = { seq: number; hash: Buffer }

/** Signed like the entries, so that entries removed illegally cannot be declared as expired. */
const getStartText = (companyId: number, { seq, hash }: ChainStart) =>
  `start|${companyId}|${seq}|${hash.toString('hex')}`
export const signChainStart = (secrets: Secrets, companyId: number, start: ChainStart) =>
  secrets.sign(getStartText(companyId, start))

export async function loadChainStart(db: Db, secrets: Secrets, companyId: number): Promise<ChainStart> {
  const [row] = await db.select().from(auditStarts).where(eq(auditStarts.companyId, companyId))
  const beginning = { seq: 0, hash: Buffer.alloc(32) }
  if (!row || !secrets.signs(getStartText(companyId, row)).some((own) => own.equals(row.seal))) return beginning
  return { seq: row.seq, hash: row.hash }
}
