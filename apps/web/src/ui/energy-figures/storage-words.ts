import type { StorageTotals } from '@voisol/contract/energy-totals'
import { createEnergyFormatter } from '../../lib/format.ts'

/** What batteries did of a period, each figure under its one name; the parts of both make them. */
export function buildStorageLines({
  charged,
  stored,
  pendingCharged,
  released,
  restored,
  pendingReleased,
}: StorageTotals) {
  const energy = createEnergyFormatter([charged, released])
  const unused = released - restored - pendingReleased
  return [
    { label: 'Stocké', figure: energy(stored), note: 'De la production de l’opération' },
    { label: 'Chargé sur le réseau', figure: energy(charged - stored - pendingCharged), note: 'Hors de l’opération' },
    {
      label: 'Restitué',
      figure: energy(released),
      note: `Dont ${energy(restored)} affectés${unused > 0 ? ` et ${energy(unused)} sans preneur` : ''}`,
    },
    ...(pendingCharged > 0
      ? [
          {
            label: 'Charge pas encore répartie',
            figure: energy(pendingCharged),
            note: `Et ${energy(pendingReleased)} de décharge`,
          },
        ]
      : []),
  ]
}
