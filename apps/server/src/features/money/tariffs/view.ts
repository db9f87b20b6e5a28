import type { PriceMatrix } from '@voisol/contract/price-matrix'
import type { Tariff, TariffDetail, TariffDraft, TariffTrial } from '@voisol/contract/tariffs'
import { addDays } from '@voisol/money/days'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { tariffs } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { indexTable } from './index-table.ts'
import { marketOf } from './market.ts'
import { type Held, matrixOf } from './matrix.ts'
import { isAdopted, loadVersions, type Version } from './prices.ts'
import { problemsOf } from './problems.ts'
import { tariffScope } from './scope.ts'
import { spanOf } from './span.ts'

export const heldOf = (all: readonly Version[]): Held[] =>
  all.filter(isAdopted).map((version) => ({ ...version, ...spanOf(version, all) }))

function toTariff(version: Version, all: readonly Version[]): Tariff {
  const { companyId: _, adoptedAt, createdAt, ...row } = version
  const { from, to } = spanOf(version, all)
  const now = today()
  return {
    ...row,
    status: isAdopted(version) ? 'adopted' : 'draft',
    endsOn: to,
    inForce: isAdopted(version) && from <= now && (to === null || to > now),
    adoptedAt: adoptedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}

/** Where nothing was prepared yet, one price for all: that which was said of the operation when it was made. */
const proposalOf = ({ unitPrice, startsOn }: { unitPrice: number | null; startsOn: string | null }) =>
  unitPrice === null
    ? null
    : {
        label: '',
        startsOn: startsOn ?? `${today().slice(0, 7)}-01`,
        rules: [{ id: 'prix', label: '', price: unitPrice }],
      }

/** The version that begins last first. */
export async function listTariffs(
  db: Db,
  actor: Actor,
  operationId: string,
): Promise<{ items: Tariff[]; proposal: z.output<typeof TariffDraft> | null }> {
  const operation = await findOperation(db, actor, operationId)
  const all = await loadVersions(db, actor.companyId, operationId)
  return {
    items: all.toReversed().map((version) => toTariff(version, all)),
    proposal: all.length ? null : proposalOf(operation),
  }
}

/** A version among the others of its operation. */
export async function findTariff(db: Db, actor: Actor, id: string): Promise<{ version: Version; all: Version[] }> {
  const [row] = await db
    .select({ operationId: tariffs.operationId })
    .from(tariffs)
    .where(and(tariffScope(actor), eq(tariffs.id, id)))
  const all = row ? await loadVersions(db, actor.companyId, row.operationId) : []
  const version = all.find((each) => each.id === id)
  if (!version) throw new AppError('not-found')
  return { version, all }
}

/** The days on which a version holds, or would. */
export async function tariffSpan(db: Db, actor: Actor, id: string) {
  const { version, all } = await findTariff(db, actor, id)
  return spanOf(version, all)
}

export async function getTariff(db: Db, actor: Actor, id: string): Promise<TariffDetail> {
  const { version, all } = await findTariff(db, actor, id)
  // What is adopted was found sound, and changes no more.
  const problems = isAdopted(version) ? [] : await problemsOf(db, version, all)
  return { ...toTariff(version, all), problems }
}

const marketOn = (db: Db, companyId: number, operationId: string, day: string) =>
  marketOf(db, companyId, operationId, { from: day, to: addDays(day, 1) })

export async function readMatrix(db: Db, actor: Actor, operationId: string, day: string): Promise<PriceMatrix> {
  await findOperation(db, actor, operationId)
  const all = await loadVersions(db, actor.companyId, operationId)
  const market = await marketOn(db, actor.companyId, operationId, day)
  return matrixOf(heldOf(all), market, await indexTable(db, actor.companyId), day)
}

/** A version as it is being written, on every day: who would pay what, and what stands in its way. */
export async function tryTariff(db: Db, actor: Actor, operationId: string, trial: z.output<typeof TariffTrial>) {
  const { companyId } = actor
  await findOperation(db, actor, operationId)
  const all = await loadVersions(db, companyId, operationId)
  const { startsOn, day, tariffId } = trial
  // What is typed may have two rules of one id: each goes by its place.
  const rules = trial.rules.map((rule, at) => ({ ...rule, id: String(at) }))
  const own = all.find(({ id }) => id === tariffId)
  const market = await marketOn(db, companyId, operationId, day)
  const held = { id: own?.id ?? null, number: own?.number ?? null, from: '1900-01-01', to: null, rules }
  return {
    matrix: matrixOf([held], market, await indexTable(db, companyId), day),
    problems: await problemsOf(db, { id: tariffId ?? '', companyId, operationId, startsOn, rules }, all),
  }
}
