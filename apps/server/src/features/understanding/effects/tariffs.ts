import type { Change, Effects } from '@voisol/contract/effects'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { ofMonth } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import type { Context } from '../../../http/route.ts'
import { billedMonths } from '../../money/corrections/corrections.ts'
import { adoptTariff, tariffSpan } from '../../money/tariffs/tariffs.ts'
import { billedOf } from './euros.ts'
import { priceEffects, standingOf } from './months.ts'
import { NOTHING, summaryOf } from './summary.ts'
import { takenBack } from './trials.ts'

type TariffChange = Extract<Change, { kind: 'tariff' }>

/** With the tariff adopted: the months that were invoiced and in which it holds, and what they would be billed from. */
async function attempt(tx: Db, ctx: Context, { id, body }: TariffChange) {
  const { actor } = ctx
  const { companyId } = actor
  // Why is said when it is adopted, not when one looks.
  const { operationId } = await adoptTariff(tx, actor, id, { ...body, reason: body.reason ?? 'Essai, sans suite.' })
  const { name } = await findOperation(tx, actor, operationId)
  const rows = await billedMonths(tx, { companyId, operationId, ...(await tariffSpan(tx, actor, id)) })
  const months = rows.map(({ month }) => ({ operationId, month }))
  const standing = await standingOf(tx, companyId, months)
  const billed = await billedOf(tx, companyId, months)
  return standing.flatMap((one, at) => {
    const again = billed[at]
    return again ? [{ ...one, name, again }] : []
  })
}

/** What adopting a tariff of a past day would make of what was invoiced, in kilowatt-hours that stay and euros that change. */
export async function previewTariff(ctx: Context, change: TariffChange): Promise<Effects> {
  const planned = await takenBack(ctx.db, () => attempt(ctx.db, ctx, change))
  if (!planned.length) return { ...NOTHING, summary: 'Ce tarif ne change le prix d’aucun mois déjà facturé.' }
  const months = await priceEffects(ctx, planned)
  const lost = months.find(({ cents }) => cents === undefined)
  if (lost)
    throw new AppError('invalid', {
      message: `Ce tarif ne suffit pas à facturer de nouveau le mois ${ofMonth(lost.month)}\u00a0: il y manque un prix ou la valeur d’un indice.`,
    })
  return { retroactive: true, shown: SEEN, summary: summaryOf(months, 0, null), months, beyond: null, outdated: [] }
}

/** Runs stay as they are: what is asked of whoever adopts is a reason, not a proof of having looked. */
const SEEN = 'tariff'
