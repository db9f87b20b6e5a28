import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankStatements } from '../../../db/schema/index.ts'
import type { RawBankStatement } from '../../../formats/bank/types.ts'
import { formatEuros } from '../../../papers/decimals.ts'
import { formatLongDay } from '../../../papers/words.ts'
import type { BankAccountRow } from '../mandates/mandates.ts'

type StatementStart = Pick<RawBankStatement, 'from' | 'opening'>

/** Describes the money missing since the previous statement; empty when this one starts at its closing balance. */
export async function findGapBefore(
  tx: Db,
  { companyId, id }: BankAccountRow,
  { from, opening }: StatementStart,
): Promise<string> {
  if (opening === null || from === null) return ''
  const statements = await tx
    .select()
    .from(bankStatements)
    .where(
      and(eq(bankStatements.companyId, companyId), eq(bankStatements.accountId, id), isNotNull(bankStatements.closing)),
    )
    .orderBy(desc(bankStatements.to), desc(bankStatements.createdAt))
  // The same days with more lines: a bank publishes the current day again until it is over.
  if (statements.some((one) => one.from === from && one.opening === opening)) return ''
  const before = statements.find(({ to }) => to !== null && to <= from)
  // A day may have several statements, imported in any order.
  const lastDay = statements.filter(({ to }) => to === before?.to)
  if (!before || before.closing === null || lastDay.some(({ closing }) => closing === opening)) return ''
  return `Le relevé précédent finit à ${formatEuros(before.closing)} le ${formatLongDay(before.to ?? from)}, celui-ci commence à ${formatEuros(opening)}\u00a0: ${formatEuros(Math.abs(opening - before.closing))} de mouvements manquent entre les deux.`
}
