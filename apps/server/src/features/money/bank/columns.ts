import { BankColumns } from '@voisol/contract/bank'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankColumns } from '../../../db/schema/index.ts'

/** Loads the column mapping that was chosen for an account's bank files, or null if none was. */
export async function loadBankColumns(db: Db, companyId: number, accountId: string): Promise<BankColumns | null> {
  const [row] = await db
    .select()
    .from(bankColumns)
    .where(and(eq(bankColumns.companyId, companyId), eq(bankColumns.accountId, accountId)))
  return row ? BankColumns.parse(row.columns) : null
}

export async function saveBankColumns(tx: Db, companyId: number, accountId: string, columns: BankColumns) {
  await tx
    .insert(bankColumns)
    .values({ companyId, accountId, columns })
    .onConflictDoUpdate({
      target: [bankColumns.companyId, bankColumns.accountId],
      set: { columns, version: sql`${bankColumns.version} + 1` },
    })
  return { columns }
}
