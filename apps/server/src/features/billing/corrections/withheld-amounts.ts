import type { CheckItem } from '@voisol/contract/billing'
import type { WithheldAmount } from '@voisol/contract/corrections'
import { formatEuros, formatWhAsKwh } from '@voisol/documents/number-and-date-formats'
import { formatCount, formatFrenchMonth } from '@voisol/file-formats/french'
import { getDocumentKey } from '@voisol/money/document'
import { and, desc, eq, sql } from 'drizzle-orm'
import { operationScope, requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { type ClosedMonthRow, findClosedMonth } from '../month-closing/index.ts'
import { loadSettingsOn } from '../settings/index.ts'
import { computeCorrections, loadCorrectionTerms } from './compute-corrections.ts'
import { loadSellerAndBuyerNames, loadStandingGroup } from './correction-proposal.ts'

const formatMonths = (items: WithheldAmount[]) =>
  [...new Set(items.map(({ month }) => month))]
    .sort()
    .map((month) => formatFrenchMonth(month))
    .join(', ')
const sumFigure = (items: WithheldAmount[], figure: 'gross' | 'wh') =>
  items.reduce((sum, item) => sum + item[figure], 0)
const countBuyers = (items: WithheldAmount[]) => new Set(items.map(({ buyerId }) => buyerId)).size

/** « 0,12 € à ajouter », « 0,12 € à rendre »: the direction is written in words instead of a sign. */
function formatAmounts(items: WithheldAmount[]): string {
  const more = sumFigure(
    items.filter(({ gross }) => gross > 0),
    'gross',
  )
  const less = -sumFigure(
    items.filter(({ gross }) => gross < 0),
    'gross',
  )
  const parts = [
    ...(more ? [`${formatEuros(more)} à ajouter`] : []),
    ...(less ? [`${formatEuros(less)} à rendre`] : []),
  ]
  return parts.join(' et ')
}

const formatEnergy = (items: WithheldAmount[]) => {
  const wh = items.reduce((sum, item) => sum + Math.abs(item.wh), 0)
  return wh ? ` (${formatWhAsKwh(wh)})` : ''
}

export const buildWithheldMessage = (items: WithheldAmount[], thresholdCents: number): string =>
  `Centimes retenus pour ${formatCount(countBuyers(items), 'acheteur', 'acheteurs')} (${formatMonths(items)})\u00a0: ${formatAmounts(items)}${formatEnergy(items)}. ` +
  `C’est moins de ${formatEuros(thresholdCents)} par vendeur et acheteur, trop peu pour un document\u00a0: ils seront repris par la prochaine régularisation, au départ de l’acheteur ou à la fin de l’année.`

export const buildBarredMessage = (items: WithheldAmount[], claimMonths: number): string =>
  `${formatEuros(sumFigure(items, 'gross'))}${formatEnergy(items)} ne sont pas réclamés à ${formatCount(countBuyers(items), 'particulier', 'particuliers')} (${formatMonths(items)})\u00a0: après ${claimMonths} mois, une consommation ne peut plus leur être facturée.`

type WithheldFilter = { operationId?: string | undefined; buyerId?: string | undefined }

/** The months whose last computation has withheld cents, oldest first. */
async function loadMonthsWithWithheld(
  db: Db,
  actor: Actor,
  { operationId }: WithheldFilter,
): Promise<ClosedMonthRow[]> {
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

/** Cents on no document of these months, by seller and buyer; months invoiced together are counted together. */
async function loadWithheldCents(db: Db, companyId: number, rows: ClosedMonthRow[]): Promise<WithheldAmount[]> {
  if (rows.length === 0) return []
  const groups: Awaited<ReturnType<typeof loadStandingGroup>>[] = []
  for (const row of rows)
    if (!groups.some(({ parts }) => parts.some((part) => part.row.id === row.id)))
      groups.push(await loadStandingGroup(db, row))
  const groupCorrections = computeCorrections(groups, await loadCorrectionTerms(db, companyId, groups))
  const { sellers, buyers } = await loadSellerAndBuyerNames(db, companyId, groups)
  return groups.flatMap(({ parts: [part] }, at) => {
    if (!part) return []
    const { row } = part
    const { corrections = [], uncorrected = [] } = groupCorrections[at] ?? {}
    const energy = new Map(uncorrected.map((pair) => [getDocumentKey(pair), pair.wh]))
    return corrections.map(
      (each): WithheldAmount => ({
        // Whatever today's rules say, nothing was issued: the amount stays withheld until a person issues it.
        kind: each.document === 'barred' ? 'barred' : 'held',
        operationId: row.operationId,
        month: row.month,
        sellerId: each.seller,
        seller: sellers.get(each.seller) ?? '',
        buyerId: each.buyer,
        buyer: buyers.get(each.buyer) ?? '',
        gross: each.delta.gross,
        wh: energy.get(getDocumentKey(each)) ?? 0,
      }),
    )
  })
}

async function loadWithheldMessages(db: Db, companyId: number, items: WithheldAmount[]) {
  const settings = await loadSettingsOn(db, companyId, getToday())
  const withheldItems = items.filter(({ kind }) => kind === 'held')
  const barredItems = items.filter(({ kind }) => kind === 'barred')
  return {
    held: withheldItems.length > 0 ? buildWithheldMessage(withheldItems, settings['correction.heldCents'].value) : '',
    barred: barredItems.length > 0 ? buildBarredMessage(barredItems, settings['correction.claimMonths'].value) : '',
  }
}

export async function listWithheld(db: Db, actor: Actor, filter: WithheldFilter) {
  if (filter.operationId) await requireVisibleOperation(db, actor, filter.operationId)
  const all = await loadWithheldCents(db, actor.companyId, await loadMonthsWithWithheld(db, actor, filter))
  const items = filter.buyerId ? all.filter(({ buyerId }) => buyerId === filter.buyerId) : all
  const { held, barred } = await loadWithheldMessages(db, actor.companyId, items)
  return { items, sentence: [held, barred].filter(Boolean).join(' ') }
}

/**
 * Checklist items about withheld cents: of this month when it is closed, otherwise of all waiting months. They are only
 * advice.
 */
export async function loadWithheldCheckItems(
  db: Db,
  actor: Actor,
  operationId: string,
  month: string,
): Promise<CheckItem[]> {
  const row = await findClosedMonth(db, actor.companyId, operationId, month)
  const items = await loadWithheldCents(
    db,
    actor.companyId,
    row ? [row] : await loadMonthsWithWithheld(db, actor, { operationId }),
  )
  const { held, barred } = await loadWithheldMessages(db, actor.companyId, items)
  return [
    ...(held ? [{ code: 'held', level: 'ok' as const, sentence: held, href: null }] : []),
    ...(barred ? [{ code: 'barred', level: 'ok' as const, sentence: barred, href: null }] : []),
  ]
}
