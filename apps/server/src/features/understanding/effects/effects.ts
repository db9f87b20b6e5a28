import type { Impact, RetroactiveChange, RetroactiveFileChange } from '@voisol/contract/effects'
import { hasPermission } from '@voisol/contract/permissions'
import { addMonths } from '@voisol/energy/calendar'
import { createPreviewToken } from '../../../core/shown.ts'
import { listTouchedMonths, type TouchedMonth, trackTouchedMonths } from '../../../core/touched.ts'
import type { RouteContext } from '../../../http/route.ts'
import { loadRebillingInputs } from './euros.ts'
import {
  type ComputedMonths,
  computePlannedMonths,
  loadMonthImpacts,
  loadPlannedMonths,
  loadRunsInForceByMonth,
  type PlannedMonth,
} from './months.ts'
import { listDefinitiveRunsOutdated } from './outdated.ts'
import { buildImpactSummary, NO_IMPACT } from './summary.ts'
import { previewTariffImpact } from './tariffs.ts'
import { buildChangeTrial, buildFileTrial, type ChangeTrial, requireChangeAllowed, runAndRollBack } from './trials.ts'

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
