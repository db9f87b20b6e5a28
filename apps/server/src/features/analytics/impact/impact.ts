import type { Impact, RetroactiveChange, RetroactiveFileChange } from '@voisol/contract/effects'
import { hasPermission } from '@voisol/contract/permissions'
import { addMonths } from '@voisol/energy/calendar'
import { formatMonthWithDe } from '@voisol/file-formats/french'
import { sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import {
  createPreviewToken,
  listTouchedMonths,
  type TouchedMonth,
  trackTouchedMonths,
} from '../../../core/change-confirmation.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../http/errors.ts'
import type { RouteContext } from '../../../http/route.ts'
import { billedMonths } from '../../billing/corrections/index.ts'
import { adoptTariff, loadTariffPeriod } from '../../billing/tariffs/index.ts'
import {
  buildChangeTrial,
  buildFileTrial,
  type ChangeTrial,
  requireChangeAllowed,
  runAndRollBack,
} from './change-preview.ts'
import {
  buildImpactSummary,
  type ComputedMonths,
  computePlannedMonths,
  loadMonthImpacts,
  loadPlannedMonths,
  loadPriceImpacts,
  loadRebillingInputs,
  loadRunsInForceByMonth,
  NO_IMPACT,
  type PlannedMonth,
} from './month-impacts.ts'

/** Months of operations computed at once; earlier ones are only counted. */
const MAX_COMPUTED_IMPACT_MONTHS = 24

type ChangeTrialResult = { months: TouchedMonth[]; shown: string; planned: PlannedMonth[]; computed?: ComputedMonths }

/** Previews the effect of a change on computed months: runs the change, reads the result, and rolls back. */
export async function previewChangeImpact(ctx: RouteContext, change: RetroactiveChange): Promise<Impact> {
  requireChangeAllowed(ctx.actor, change)
  if (change.kind === 'tariff') return previewTariffImpact(ctx, change)
  return previewTrialImpact(ctx, await buildChangeTrial(ctx, change))
}

export async function previewFileImpact(
  ctx: RouteContext,
  change: RetroactiveFileChange,
  bytes: Uint8Array,
): Promise<Impact> {
  requireChangeAllowed(ctx.actor, change)
  return previewTrialImpact(ctx, buildFileTrial(ctx, change, bytes))
}

async function previewTrialImpact(ctx: RouteContext, trial: ChangeTrial): Promise<Impact> {
  const trialResult = await runAndRollBack(ctx.db, () => runTrial(ctx, trial))
  if (!trialResult) return NO_IMPACT
  const computed = trialResult.computed ?? (await computePlannedMonths(ctx, trialResult.planned))
  const months = await loadMonthImpacts(ctx, trialResult.planned, computed)
  const outdated = await listDefinitiveRunsOutdated(ctx.db, ctx.actor.companyId, trialResult.months)
  const beyond = findMonthsNotComputed(trialResult.months)
  const summary = buildImpactSummary(months, outdated.length, beyond)
  return { retroactive: true, shown: trialResult.shown, summary, months, beyond, outdated }
}

async function runTrial(
  ctx: RouteContext,
  { change, write, readings }: ChangeTrial,
): Promise<ChangeTrialResult | undefined> {
  const { db, actor } = ctx
  const { companyId } = actor
  const buildToken = (months: TouchedMonth[]) => createPreviewToken(ctx, actor, change, months)
  if (readings) {
    const months = await listTouchedMonths(db, companyId, readings.touched)
    if (!months.length) return undefined
    const [previewToken, standingMonths] = [
      await buildToken(months),
      await loadRunsInForceByMonth(db, companyId, months.slice(-MAX_COMPUTED_IMPACT_MONTHS)),
    ]
    await write(db)
    // Imported readings only exist inside the trial, so they are computed within it.
    const planned = await addBillingInputs(ctx, await loadPlannedMonths(db, companyId, standingMonths))
    return { months, shown: previewToken, planned, computed: await computePlannedMonths(ctx, planned) }
  }
  const tracker = trackTouchedMonths(db)
  await write(tracker.db)
  const months = await listTouchedMonths(db, companyId, tracker.touched)
  if (!months.length) return undefined
  const previewToken = await buildToken(months)
  const standingMonths = await loadRunsInForceByMonth(db, companyId, months.slice(-MAX_COMPUTED_IMPACT_MONTHS))
  return {
    months,
    shown: previewToken,
    planned: await addBillingInputs(ctx, await loadPlannedMonths(db, companyId, standingMonths)),
  }
}

/** A user who may not see billing only gets the energy. */
async function addBillingInputs({ db, actor }: RouteContext, planned: PlannedMonth[]): Promise<PlannedMonth[]> {
  if (!hasPermission(actor, 'billing.read')) return planned
  const billed = await loadRebillingInputs(db, actor.companyId, planned)
  return planned.map((one, at) => ({ ...one, again: billed[at] }))
}

function findMonthsNotComputed(months: TouchedMonth[]): Impact['beyond'] {
  const notComputed = months.slice(0, -MAX_COMPUTED_IMPACT_MONTHS)
  const [first, last] = [notComputed[0], notComputed.at(-1)]
  return first && last ? { from: first.month, to: addMonths(last.month, 1), months: notComputed.length } : null
}

type TariffChange = Extract<RetroactiveChange, { kind: 'tariff' }>

/** After adopting the tariff: the invoiced months in its period, and their billing input. */
async function tryTariff(tx: Db, ctx: RouteContext, { id, body }: TariffChange) {
  const { actor } = ctx
  const { companyId } = actor
  // The reason is only required for the real adoption, not for a preview.
  const { operationId } = await adoptTariff(tx, actor, id, { ...body, reason: body.reason ?? 'Essai, sans suite.' })
  const { name } = await requireVisibleOperation(tx, actor, operationId)
  const rows = await billedMonths(tx, { companyId, operationId, ...(await loadTariffPeriod(tx, actor, id)) })
  const months = rows.map(({ month }) => ({ operationId, month }))
  const runsByMonth = await loadRunsInForceByMonth(tx, companyId, months)
  const rebillingInputs = await loadRebillingInputs(tx, companyId, months)
  return runsByMonth.flatMap((one, at) => {
    const again = rebillingInputs[at]
    return again ? [{ ...one, name, again }] : []
  })
}

/** The effect of a tariff with a past start on invoiced months: energy is unchanged, euros change. */
async function previewTariffImpact(ctx: RouteContext, change: TariffChange): Promise<Impact> {
  const planned = await runAndRollBack(ctx.db, () => tryTariff(ctx.db, ctx, change))
  if (!planned.length) return { ...NO_IMPACT, summary: 'Ce tarif ne change le prix d’aucun mois déjà facturé.' }
  const months = await loadPriceImpacts(ctx, planned)
  const monthWithoutPrice = months.find(({ cents }) => cents === undefined)
  if (monthWithoutPrice)
    throw new AppError('invalid', {
      message: `Ce tarif ne suffit pas à facturer de nouveau le mois ${formatMonthWithDe(monthWithoutPrice.month)}\u00a0: il y manque un prix ou la valeur d’un indice.`,
    })
  return {
    retroactive: true,
    shown: TARIFF_PREVIEW_TOKEN,
    summary: buildImpactSummary(months, 0, null),
    months,
    beyond: null,
    outdated: [],
  }
}

/** A tariff changes no run: adopting it requires a reason, and no proof of a preview. */
const TARIFF_PREVIEW_TOKEN = 'tariff'

/** The definitive runs that the change makes outdated. */
async function listDefinitiveRunsOutdated(
  db: Db,
  companyId: number,
  months: TouchedMonth[],
): Promise<Impact['outdated']> {
  const ids = [...new Set(months.flatMap(({ runIds }) => runIds))]
  if (!ids.length) return []
  const { rows } = await db.execute<Impact['outdated'][number]>(sql`
    select id, operation_id as "operationId", starts_on::text as "from", ends_on::text as "to" from allocation_runs
     where company_id = ${companyId} and id = any(${sql.param(ids)}::uuid[]) order by starts_on, id`)
  return rows
}
