import type { SimulatedMember } from '@voisol/contract/billing-documents'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../http/errors.ts'
import { type ComputeContext, computeMonth, type MonthRequest } from './computed.ts'
import { type Amount, sumAmountsByBuyer } from './facts.ts'

type SimulatedMemberAmounts = z.infer<typeof SimulatedMember>

const NO_AMOUNT: Amount = { wh: 0, net: 0, gross: 0 }

/** The month under the current prices and under another tariff version, side by side; stores nothing. */
export async function simulateTariff(
  computing: ComputeContext,
  db: Db,
  wanted: MonthRequest & { tariffDraft: string },
) {
  const { tariffDraft, ...current } = wanted
  const now = await computeMonth(computing, db, { ...current, acceptLastIndex: true })
  const then = await computeMonth(computing, db, { ...current, acceptLastIndex: true, tariffDraft })
  const [before, after] = [now.outcome, then.outcome]
  if (!after.ok)
    throw new AppError('invalid', {
      message: 'Ce tarif ne suffit pas à facturer ce mois\u00a0: il y manque un prix, ou le mois n’est pas complet.',
    })
  const paid = before.ok ? sumAmountsByBuyer(before.month.documents) : new Map<string, Amount>()
  const simulated = sumAmountsByBuyer(after.month.documents)
  const people = [...new Map(then.quantities.members.map((member) => [member.buyer, member])).values()]
  const members = people.map(({ buyer, prm, name }): SimulatedMemberAmounts => {
    const [old, fresh] = [paid.get(buyer) ?? NO_AMOUNT, simulated.get(buyer) ?? NO_AMOUNT]
    const { net, gross } = old
    return { id: buyer, prm, name, wh: fresh.wh, net, gross, simulatedNet: fresh.net, simulatedGross: fresh.gross }
  })
  const sum = (name: 'net' | 'gross' | 'simulatedNet' | 'simulatedGross') =>
    members.reduce((all, member) => all + member[name], 0)
  return {
    members: members.sort((a, b) => a.name.localeCompare(b.name, 'fr')),
    totals: {
      net: sum('net'),
      gross: sum('gross'),
      simulatedNet: sum('simulatedNet'),
      simulatedGross: sum('simulatedGross'),
    },
  }
}
