import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import { createEnergyFormatter } from '../../../lib/format.ts'
import { Headline } from '../../../ui/stack/headline.tsx'
import { buildProductionParts } from '../../../ui/stack/parts.ts'
import { formatRate } from '../words.tsx'

/** All operations together, in the one figure that says how well the sun is used. */
export function AllFigures({ total }: { total: PeriodEnergyTotals }) {
  const { produced, shared, pendingProduced, selfConsumption, selfProduction, storage } = total
  const energy = createEnergyFormatter([produced])
  const rest =
    pendingProduced > 0
      ? ` ${energy(pendingProduced)} ne sont pas encore répartis\u00a0: les taux portent sur le reste.`
      : ''
  return (
    <Headline
      label="Autoconsommation, toutes opérations"
      figure={formatRate(selfConsumption)}
      sentence={
        produced > 0
          ? `Vos opérations ont produit ${energy(produced)}. ${storage ? `Les participants en ont consommé ou stocké ${energy(shared)}\u00a0; l’énergie locale couvre` : `Les participants en ont consommé ${energy(shared)}, ce qui couvre`} ${formatRate(selfProduction)} de leurs besoins.${rest}`
          : 'Aucune production n’a été relevée sur cette période.'
      }
      parts={buildProductionParts(total)}
    />
  )
}
