import type { Totals } from '@voisol/contract/energy'
import { energyLike } from '../../../lib/format.ts'
import { Headline } from '../../../ui/stack/headline.tsx'
import { productionParts } from '../../../ui/stack/parts.ts'
import { rate } from '../words.tsx'

/** All operations together, in the one figure that says how well the sun is used. */
export function AllFigures({ total }: { total: Totals }) {
  const { produced, shared, pendingProduced, selfConsumption, selfProduction, storage } = total
  const energy = energyLike([produced])
  const rest =
    pendingProduced > 0
      ? ` ${energy(pendingProduced)} ne sont pas encore répartis\u00a0: les taux portent sur le reste.`
      : ''
  return (
    <Headline
      label="Autoconsommation, toutes opérations"
      figure={rate(selfConsumption)}
      sentence={
        produced > 0
          ? `Vos opérations ont produit ${energy(produced)}. ${storage ? `Les participants en ont consommé ou stocké ${energy(shared)}\u00a0; l’énergie locale couvre` : `Les participants en ont consommé ${energy(shared)}, ce qui couvre`} ${rate(selfProduction)} de leurs besoins.${rest}`
          : 'Aucune production n’a été relevée sur cette période.'
      }
      parts={productionParts(total)}
    />
  )
}
