import { formatDwellingName } from '@voisol/contract/points'
import type { PriceMatrix, TariffRule } from '@voisol/contract/tariff-terms'
import type {
  Tariff,
  TariffAdoption,
  TariffChoices,
  TariffCopy,
  TariffDetail,
  TariffDraft,
  TariffPreviewInput,
  TariffProblem,
  TariffUpdate,
} from '@voisol/contract/tariffs'
import { addDays } from '@voisol/money/days'
import { and, eq, max, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { tariffs } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { loadOperationTerms, loadSellers } from '../parties/index.ts'
import { loadClosedMonthPeriods } from './closed-months.ts'
import {
  getTariffPeriod,
  isAdopted,
  loadIndexTable,
  loadVersions,
  lockOperationForPrices,
  type TariffVersionRow,
  tariffScope,
} from './operation-prices.ts'
import { buildPriceMatrix, type EffectiveTariff, loadMarket } from './price-matrix.ts'
import { findUnknownReferences, loadTariffProblems } from './tariff-problems.ts'

const toNamedOptions = (entries: Iterable<readonly [string, string]>) =>
  [...new Map(entries)].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name, 'fr'))

/**
 * What a tariff of the operation can refer to: past and present members, the company's groups, and the sellers there.
 */
export async function loadTariffChoices(db: Db, actor: Actor, operationId: string): Promise<TariffChoices> {
  const { companyId } = actor
  await requireVisibleOperation(db, actor, operationId)
  const market = await loadMarket(db, companyId, operationId, { from: '1900-01-01', to: null })
  const producers = market.members.filter(({ direction }) => direction === 'production')
  const buyers = market.members.filter(({ direction }) => direction === 'consumption')
  const holders = new Set(producers.map(({ holderId }) => holderId))
  const { supplierPrice, surplusPrice, organiserId } = await loadOperationTerms(db, companyId, operationId)
  const sellers = (await loadSellers(db, companyId)).filter(
    ({ id, participantId }) => id === organiserId || participantId === null || holders.has(participantId),
  )
  return {
    producers: toNamedOptions(
      producers.map(({ pointId, label, holder }) => [pointId, formatDwellingName(label, holder)]),
    ),
    buyers: toNamedOptions(buyers.map(({ holderId, holder }) => [holderId, holder])).map((buyer) => ({
      ...buyer,
      groupId: market.groupOf.get(buyer.id) ?? null,
    })),
    groups: toNamedOptions(market.groups),
    sellers: toNamedOptions(sellers.map(({ id, name }) => [id, name])),
    classes: market.classes,
    supplierPrice,
    surplusPrice,
    openFrom: (await loadClosedMonthPeriods(db, companyId, operationId)).at(-1)?.to ?? null,
  }
}

export const toEffectiveTariffs = (all: readonly TariffVersionRow[]): EffectiveTariff[] =>
  all.filter(isAdopted).map((version) => ({ ...version, ...getTariffPeriod(version, all) }))

function toTariff(version: TariffVersionRow, all: readonly TariffVersionRow[]): Tariff {
  const { companyId: _, adoptedAt, createdAt, ...row } = version
  const { from, to } = getTariffPeriod(version, all)
  const now = getToday()
  return {
    ...row,
    status: isAdopted(version) ? 'adopted' : 'draft',
    endsOn: to,
    inForce: isAdopted(version) && from <= now && (to === null || to > now),
    adoptedAt: adoptedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}

/** Proposes a first tariff with one price for all: the one entered when the operation was created. */
const toTariffProposal = ({ unitPrice, startsOn }: { unitPrice: number | null; startsOn: string | null }) =>
  unitPrice === null
    ? null
    : {
        label: '',
        startsOn: startsOn ?? `${getToday().slice(0, 7)}-01`,
        rules: [{ id: 'prix', label: '', price: unitPrice }],
      }

/** Versions, latest start first. */
export async function listTariffs(
  db: Db,
  actor: Actor,
  operationId: string,
): Promise<{ items: Tariff[]; proposal: z.output<typeof TariffDraft> | null }> {
  const operation = await requireVisibleOperation(db, actor, operationId)
  const all = await loadVersions(db, actor.companyId, operationId)
  return {
    items: all.toReversed().map((version) => toTariff(version, all)),
    proposal: all.length ? null : toTariffProposal(operation),
  }
}

/** A version with the others of its operation. */
async function loadTariffVersion(
  db: Db,
  actor: Actor,
  id: string,
): Promise<{ version: TariffVersionRow; all: TariffVersionRow[] }> {
  const [row] = await db
    .select({ operationId: tariffs.operationId })
    .from(tariffs)
    .where(and(tariffScope(actor), eq(tariffs.id, id)))
  const all = row ? await loadVersions(db, actor.companyId, row.operationId) : []
  const version = all.find((each) => each.id === id)
  if (!version) throw new AppError('not-found')
  return { version, all }
}

/** The period of a version, or the one it would have. */
export async function loadTariffPeriod(db: Db, actor: Actor, id: string) {
  const { version, all } = await loadTariffVersion(db, actor, id)
  return getTariffPeriod(version, all)
}

export async function loadTariff(db: Db, actor: Actor, id: string): Promise<TariffDetail> {
  const { version, all } = await loadTariffVersion(db, actor, id)
  // An adopted version was checked, and no longer changes.
  const problems = isAdopted(version) ? [] : await loadTariffProblems(db, version, all)
  return { ...toTariff(version, all), problems }
}

const loadMarketOn = (db: Db, companyId: number, operationId: string, day: string) =>
  loadMarket(db, companyId, operationId, { from: day, to: addDays(day, 1) })

export async function loadPriceMatrix(db: Db, actor: Actor, operationId: string, day: string): Promise<PriceMatrix> {
  await requireVisibleOperation(db, actor, operationId)
  const all = await loadVersions(db, actor.companyId, operationId)
  const market = await loadMarketOn(db, actor.companyId, operationId, day)
  return buildPriceMatrix(toEffectiveTariffs(all), market, await loadIndexTable(db, actor.companyId), day)
}

/** Checks a version while it is edited: its price matrix on a day, and its problems. */
export async function previewTariffDraft(
  db: Db,
  actor: Actor,
  operationId: string,
  draft: z.output<typeof TariffPreviewInput>,
) {
  const { companyId } = actor
  await requireVisibleOperation(db, actor, operationId)
  const all = await loadVersions(db, companyId, operationId)
  const { startsOn, day, tariffId } = draft
  // Typed rules may have the same id, so each is identified by its position.
  const rules = draft.rules.map((rule, at) => ({ ...rule, id: String(at) }))
  const own = all.find(({ id }) => id === tariffId)
  const market = await loadMarketOn(db, companyId, operationId, day)
  const effectiveTariff = { id: own?.id ?? null, number: own?.number ?? null, from: '1900-01-01', to: null, rules }
  return {
    matrix: buildPriceMatrix([effectiveTariff], market, await loadIndexTable(db, companyId), day),
    problems: await loadTariffProblems(db, { id: tariffId ?? '', companyId, operationId, startsOn, rules }, all),
  }
}

/** A rule's id is its version number and position, unique in the operation, so an invoice line refers to one rule. */
const withRuleIds = (number: number, rules: readonly TariffRule[]): TariffRule[] =>
  rules.map((rule, at) => ({ ...rule, id: `v${number}-${String(at + 1).padStart(3, '0')}` }))

async function requireKnownRuleReferences(tx: Db, companyId: number, rules: readonly TariffRule[]) {
  const unknownReferences = await findUnknownReferences(tx, companyId, rules)
  const issues = unknownReferences.map(({ at, field, message }) => ({ path: `rules.${at}.${field}`, message }))
  if (issues.length) throw new AppError('invalid', { message: issues[0]?.message ?? '', issues })
}

export async function createTariff(tx: Db, actor: Actor, operationId: string, input: z.output<typeof TariffDraft>) {
  const { companyId } = actor
  await lockOperationForPrices(tx, actor, operationId)
  await requireKnownRuleReferences(tx, companyId, input.rules)
  const [last] = await tx
    .select({ number: max(tariffs.number) })
    .from(tariffs)
    .where(and(eq(tariffs.companyId, companyId), eq(tariffs.operationId, operationId)))
  const number = (last?.number ?? 0) + 1
  const [row] = await tx
    .insert(tariffs)
    .values({ ...input, rules: withRuleIds(number, input.rules), companyId, operationId, number, status: 'draft' })
    .returning({ id: tariffs.id })
  if (!row) throw new Error('the tariff was not created')
  return row.id
}

/** Copies the rules of a version to a new draft with another start day. */
export async function copyTariff(tx: Db, actor: Actor, id: string, input: z.output<typeof TariffCopy>) {
  const { version } = await loadTariffVersion(tx, actor, id)
  return createTariff(tx, actor, version.operationId, { ...input, rules: version.rules })
}

/** A draft, locked with its operation until the transaction ends; an adopted version no longer changes. */
async function lockDraftTariff(
  tx: Db,
  actor: Actor,
  id: string,
): Promise<{ version: TariffVersionRow; all: TariffVersionRow[] }> {
  await lockOperationForPrices(tx, actor, (await loadTariffVersion(tx, actor, id)).version.operationId)
  const found = await loadTariffVersion(tx, actor, id)
  const { number, status } = found.version
  if (status === 'adopted')
    throw new AppError('conflict', {
      message: `La version ${number} est adoptée\u00a0: elle ne change plus. Préparez une nouvelle version au jour voulu.`,
    })
  return found
}

const whereTariff = ({ companyId, id }: TariffVersionRow) => and(eq(tariffs.companyId, companyId), eq(tariffs.id, id))

/** Only a draft is updated: the database itself refuses anything else. */
async function updateTariffColumns(tx: Db, version: TariffVersionRow, values: Partial<typeof tariffs.$inferInsert>) {
  const rows = await tx
    .update(tariffs)
    .set({ ...values, version: sql`${tariffs.version} + 1` })
    .where(whereTariff(version))
    .returning({ id: tariffs.id })
  if (!rows.length) throw new AppError('conflict')
}

export async function updateTariff(tx: Db, actor: Actor, id: string, input: z.output<typeof TariffUpdate>) {
  const { version: before } = await lockDraftTariff(tx, actor, id)
  const { rules: _, ...fields } = before
  requireCurrentVersion(fields, input)
  await requireKnownRuleReferences(tx, actor.companyId, input.rules)
  const { version: _version, ...values } = input
  await updateTariffColumns(tx, before, { ...values, rules: withRuleIds(before.number, input.rules) })
  return before
}

export async function removeTariff(tx: Db, actor: Actor, id: string) {
  const { version } = await lockDraftTariff(tx, actor, id)
  await tx.delete(tariffs).where(whereTariff(version))
  return version
}

/** Changing prices of closed months needs a reason. */
function requireAdoptionReason(problems: readonly TariffProblem[], reason: string | undefined) {
  const [closed] = problems.filter(({ severity }) => severity === 'reason')
  if (!closed || reason) return
  const message = `${closed.message} Dites pourquoi (10 caractères au moins).`
  throw new AppError('invalid', { message, issues: [{ path: 'reason', message }] })
}

/** Reports every problem at once. */
export async function adoptTariff(tx: Db, actor: Actor, id: string, input: z.output<typeof TariffAdoption>) {
  const { version, all } = await lockDraftTariff(tx, actor, id)
  requireCurrentVersion({ version: version.version }, input)
  const problems = await loadTariffProblems(tx, version, all)
  const refused = problems.filter(({ severity }) => severity === 'refused')
  if (refused.length)
    throw new AppError('invalid', {
      message: `Ce tarif ne peut pas être adopté. ${refused[0]?.message ?? ''}`,
      issues: refused.map(({ message, rule }) => ({ path: rule === null ? 'startsOn' : `rules.${rule}`, message })),
    })
  requireAdoptionReason(problems, input.reason)
  await updateTariffColumns(tx, version, { status: 'adopted', adoptedAt: new Date(), adoptedBy: actor.email })
  const { companyId } = actor
  const { operationId } = version
  const data = { tariffId: id, operationId, days: getTariffPeriod(version, all) }
  await recordEvent(tx, { companyId, name: 'tariff.adopted', object: id, data })
  return version
}
