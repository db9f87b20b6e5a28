import type { Impact, RetroactiveChange } from '@voisol/contract/effects'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { formatMonthWithDe } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import type { RouteContext } from '../../../http/route.ts'
import { billedMonths } from '../../money/corrections/corrections.ts'
import { adoptTariff, loadTariffPeriod } from '../../money/tariffs/tariffs.ts'
import { loadRebillingInputs } from './euros.ts'
import { loadPriceImpacts, loadRunsInForceByMonth } from './months.ts'
import { buildImpactSummary, NO_IMPACT } from './summary.ts'
import { runAndRollBack } from './trials.ts'

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
export async function previewTariffImpact(ctx: RouteContext, change: TariffChange): Promise<Impact> {
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
