import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankStatements } from '../../../db/schema/index.ts'
import type { RawStatement } from '../../../formats/bank/types.ts'
import { euros } from '../../../papers/decimals.ts'
import { longDay } from '../../../papers/words.ts'
import type { AccountRow } from '../mandates/mandates.ts'

type Asked = Pick<RawStatement, 'from' | 'opening'>

/** What is missing since the statement before, in words; empty where its balance is the one this begins with. */
export async function gapBefore(tx: Db, { companyId, id }: AccountRow, { from, opening }: Asked): Promise<string> {
  if (opening === null || from === null) return ''
  const told = await tx
    .select()
    .from(bankStatements)
    .where(
      and(eq(bankStatements.companyId, companyId), eq(bankStatements.accountId, id), isNotNull(bankStatements.closing)),
    )
    .orderBy(desc(bankStatements.to), desc(bankStatements.createdAt))
  // The same days with more in them: a bank writes the current day again until it is over.
  if (told.some((one) => one.from === from && one.opening === opening)) return ''
  const before = told.find(({ to }) => to !== null && to <= from)
  // A day may have several statements, which come in any order.
  const lastDay = told.filter(({ to }) => to === before?.to)
  if (!before || before.closing === null || lastDay.some(({ closing }) => closing === opening)) return ''
  return `Le relevé précédent finit à ${euros(before.closing)} le ${longDay(before.to ?? from)}, celui-ci commence à ${euros(opening)}\u00a0: ${euros(Math.abs(opening - before.closing))} de mouvements manquent entre les deux.`
}
