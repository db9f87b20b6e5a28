import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { auditStarts } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'

/** The last link that went once it had been kept long enough: the chain goes on from it. */
export type Start = { seq: number; hash: Buffer }

/** Signed like the links: whoever cuts a journal at its beginning cannot say that it was time. */
const startText = (companyId: number, { seq, hash }: Start) => `start|${companyId}|${seq}|${hash.toString('hex')}`
export const signStart = (secrets: Secrets, companyId: number, start: Start) =>
  secrets.sign(startText(companyId, start))

export async function startOf(db: Db, secrets: Secrets, companyId: number): Promise<Start> {
  const [row] = await db.select().from(auditStarts).where(eq(auditStarts.companyId, companyId))
  const whole = { seq: 0, hash: Buffer.alloc(32) }
  if (!row || !secrets.signs(startText(companyId, row)).some((own) => own.equals(row.seal))) return whole
  return { seq: row.seq, hash: row.hash }
}
