import type { CheckItem } from '@voisol/contract/billing'
import type { HeldCents } from '@voisol/contract/corrections'
import { documentName } from '@voisol/money/document'
import { and, desc, eq, sql } from 'drizzle-orm'
import { findOperation, operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { findMonth, type MonthRow } from '../billing/billing.ts'
import { settingsOn } from '../settings/settings.ts'
import { barredSentence, heldSentence } from './held-words.ts'
import { judge } from './judge.ts'
import { namesOf, standingGroup } from './proposal.ts'
import { termsFor } from './terms.ts'

type Wanted = { operationId?: string | undefined; buyerId?: string | undefined }

/** The months whose last computation waits with cents of its own, the oldest first. */
async function waitingRows(db: Db, actor: Actor, { operationId }: Wanted): Promise<MonthRow[]> {
  const lasts = db
    .selectDistinctOn([billingComputations.monthId], {
      monthId: billingComputations.monthId,
      waiting: sql<boolean>`${billingComputations.totals} ->> 'waiting' = 'true'`.as('waiting'),
    })
    .from(billingComputations)
    .where(eq(billingComputations.companyId, actor.companyId))
    .orderBy(billingComputations.monthId, desc(billingComputations.number))
    .as('lasts')
  const rows = await db
    .select({ month: billingMonths })
    .from(billingMonths)
    .innerJoin(lasts, eq(lasts.monthId, billingMonths.id))
    .innerJoin(
      operations,
      and(eq(operations.companyId, billingMonths.companyId), eq(operations.id, billingMonths.operationId)),
    )
    .where(
      and(
        operationScope(actor),
        operationId ? eq(billingMonths.operationId, operationId) : undefined,
        sql`lasts.waiting`,
      ),
    )
    .orderBy(billingMonths.month, billingMonths.operationId)
  return rows.map(({ month }) => month)
}

/** What no document of these months carries, by seller and buyer; months that were invoiced together wait together. */
async function heldIn(db: Db, companyId: number, rows: MonthRow[]): Promise<HeldCents[]> {
  if (rows.length === 0) return []
  const groups: Awaited<ReturnType<typeof standingGroup>>[] = []
  for (const row of rows)
    if (!groups.some(({ parts }) => parts.some((part) => part.row.id === row.id)))
      groups.push(await standingGroup(db, row))
  const judged = judge(groups, await termsFor(db, companyId, groups))
  const { sellers, buyers } = await namesOf(db, companyId, groups)
  return groups.flatMap(({ parts: [part] }, at) => {
    if (!part) return []
    const { row } = part
    const { corrections = [], uncorrected = [] } = judged[at] ?? {}
    const energy = new Map(uncorrected.map((pair) => [documentName(pair), pair.wh]))
    return corrections.map(
      (each): HeldCents => ({
        // Whatever the rules of today would make of it, nothing was issued: it is held until somebody does.
        kind: each.document === 'barred' ? 'barred' : 'held',
        operationId: row.operationId,
        month: row.month,
        sellerId: each.seller,
        seller: sellers.get(each.seller) ?? '',
        buyerId: each.buyer,
        buyer: buyers.get(each.buyer) ?? '',
        gross: each.delta.gross,
        wh: energy.get(documentName(each)) ?? 0,
      }),
    )
  })
}

async function sentencesOf(db: Db, companyId: number, items: HeldCents[]) {
  const settings = await settingsOn(db, companyId, today())
  const held = items.filter(({ kind }) => kind === 'held')
  const barred = items.filter(({ kind }) => kind === 'barred')
  return {
    held: held.length > 0 ? heldSentence(held, settings['correction.heldCents'].value) : '',
    barred: barred.length > 0 ? barredSentence(barred, settings['correction.claimMonths'].value) : '',
  }
}

export async function listHeld(db: Db, actor: Actor, wanted: Wanted) {
  if (wanted.operationId) await findOperation(db, actor, wanted.operationId)
  const all = await heldIn(db, actor.companyId, await waitingRows(db, actor, wanted))
  const items = wanted.buyerId ? all.filter(({ buyerId }) => buyerId === wanted.buyerId) : all
  const { held, barred } = await sentencesOf(db, actor.companyId, items)
  return { items, sentence: [held, barred].filter(Boolean).join(' ') }
}

/** Lines of a month's checklist: its own where it is closed, else those of all months that wait. Nobody has to act on them. */
export async function heldItems(db: Db, actor: Actor, operationId: string, month: string): Promise<CheckItem[]> {
  const row = await findMonth(db, actor.companyId, operationId, month)
  const items = await heldIn(db, actor.companyId, row ? [row] : await waitingRows(db, actor, { operationId }))
  const { held, barred } = await sentencesOf(db, actor.companyId, items)
  return [
    ...(held ? [{ code: 'held', level: 'ok' as const, sentence: held, href: null }] : []),
    ...(barred ? [{ code: 'barred', level: 'ok' as const, sentence: barred, href: null }] : []),
  ]
}
