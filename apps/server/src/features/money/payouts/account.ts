import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankAccounts } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'

export type AccountRow = typeof bankAccounts.$inferSelect

export async function accountOf(db: Db, companyId: number, id: string): Promise<AccountRow> {
  const [row] = await db
    .select()
    .from(bankAccounts)
    .where(and(eq(bankAccounts.companyId, companyId), eq(bankAccounts.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

export const openAccountIban = (secrets: Secrets, { companyId, id, iban }: AccountRow): string | null =>
  iban === null ? null : secrets.open(iban, `bank account ${companyId} ${id}`)
