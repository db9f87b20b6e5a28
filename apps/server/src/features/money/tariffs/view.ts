import type { PriceMatrix } from '@voisol/contract/price-matrix'
import type { Tariff, TariffDetail, TariffDraft, TariffPreviewInput } from '@voisol/contract/tariffs'
import { addDays } from '@voisol/money/days'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { tariffs } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadIndexTable } from './index-table.ts'
import { loadMarket } from './market.ts'
import { buildPriceMatrix, type EffectiveTariff } from './matrix.ts'
import { isAdopted, loadVersions, type TariffVersionRow } from './prices.ts'
import { loadTariffProblems } from './problems.ts'
import { tariffScope } from './scope.ts'
import { getTariffPeriod } from './span.ts'

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
export async function loadTariffVersion(
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
