import type { BankStatement } from '@voisol/contract/bank'
import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankStatements } from '../../../db/schema/index.ts'

const MAX_LISTED_STATEMENTS = 200

export async function listBankStatements(db: Db, companyId: number): Promise<BankStatement[]> {
  const rows = await db
    .select()
    .from(bankStatements)
    .where(eq(bankStatements.companyId, companyId))
    .orderBy(
      desc(sql`coalesce(${bankStatements.to}, ${bankStatements.createdAt}::date)`),
      desc(bankStatements.createdAt),
      desc(bankStatements.id),
    )
    .limit(MAX_LISTED_STATEMENTS)
  return rows.map(
    ({ id, accountId, format, reference, from, to, opening, closing, lines, gap, createdBy, createdAt }) => ({
      id,
      accountId,
      // The column only stores these values.
      format: format as BankStatement['format'],
      reference,
      from,
      to,
      opening,
      closing,
      lines,
      gap,
      by: createdBy,
      at: createdAt.toISOString(),
    }),
  )
}
