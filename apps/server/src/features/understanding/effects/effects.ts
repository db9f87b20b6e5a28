import type { Change, Effects, FileChange } from '@voisol/contract/effects'
import { can } from '@voisol/contract/permissions'
import { addMonths } from '@voisol/energy/calendar'
import { shownFor } from '../../../core/shown.ts'
import { type TouchedMonth, touchedMonths, watch } from '../../../core/touched.ts'
import type { Context } from '../../../http/route.ts'
import { billedOf } from './euros.ts'
import { type Computed, inputsOf, monthEffects, type Planned, standingOf, tryMonths } from './months.ts'
import { outdatedRuns } from './outdated.ts'
import { NOTHING, summaryOf } from './summary.ts'
import { previewTariff } from './tariffs.ts'
import { fileTrial, requireAllowed, type Trial, takenBack, trialOf } from './trials.ts'

/** Months of operations that are computed at once; earlier ones are counted. */
const MOST = 24

type Tried = { months: TouchedMonth[]; shown: string; planned: Planned[]; computed?: Computed }

/** What the change does to what was computed: tried, taken back, and told. */
export async function previewChange(ctx: Context, change: Change): Promise<Effects> {
  requireAllowed(ctx.actor, change)
  if (change.kind === 'tariff') return previewTariff(ctx, change)
  return previewTrial(ctx, await trialOf(ctx, change))
}

export async function previewFile(ctx: Context, change: FileChange, bytes: Uint8Array): Promise<Effects> {
  requireAllowed(ctx.actor, change)
  return previewTrial(ctx, fileTrial(ctx, change, bytes))
}

async function previewTrial(ctx: Context, trial: Trial): Promise<Effects> {
  const tried = await takenBack(ctx.db, () => attempt(ctx, trial))
  if (!tried) return NOTHING
  const computed = tried.computed ?? (await tryMonths(ctx, tried.planned))
  const months = await monthEffects(ctx, tried.planned, computed)
  const outdated = await outdatedRuns(ctx.db, ctx.actor.companyId, tried.months)
  const beyond = beyondOf(tried.months)
  const summary = summaryOf(months, outdated.length, beyond)
  return { retroactive: true, shown: tried.shown, summary, months, beyond, outdated }
}

async function attempt(ctx: Context, { change, write, readings }: Trial): Promise<Tried | undefined> {
  const { db, actor } = ctx
  const { companyId } = actor
  const name = (months: TouchedMonth[]) => shownFor(ctx, actor, change, months)
  if (readings) {
    const months = await touchedMonths(db, companyId, readings.touched)
    if (!months.length) return undefined
    const [shown, standing] = [await name(months), await standingOf(db, companyId, months.slice(-MOST))]
    await write(db)
    // The readings are there for as long as the trial lasts: they are read and computed within it.
    const planned = await withBills(ctx, await inputsOf(db, companyId, standing))
    return { months, shown, planned, computed: await tryMonths(ctx, planned) }
  }
  const watched = watch(db)
  await write(watched.db)
  const months = await touchedMonths(db, companyId, watched.touched)
  if (!months.length) return undefined
  const shown = await name(months)
  const standing = await standingOf(db, companyId, months.slice(-MOST))
  return { months, shown, planned: await withBills(ctx, await inputsOf(db, companyId, standing)) }
}

/** Whoever may not see what is billed sees the energy alone. */
async function withBills({ db, actor }: Context, planned: Planned[]): Promise<Planned[]> {
  if (!can(actor, 'billing.read')) return planned
  const billed = await billedOf(db, actor.companyId, planned)
  return planned.map((one, at) => ({ ...one, again: billed[at] }))
}

function beyondOf(months: TouchedMonth[]): Effects['beyond'] {
  const rest = months.slice(0, -MOST)
  const [first, last] = [rest[0], rest.at(-1)]
  return first && last ? { from: first.month, to: addMonths(last.month, 1), months: rest.length } : null
}
