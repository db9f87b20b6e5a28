import type { StorageTotals } from '@voisol/contract/energy-totals'
import { energyLike } from '../../lib/format.ts'
import { Tile } from '../tile.tsx'

/** What batteries did of a period, in the words of its law: stored of the production, released, and how much of that was used. */
export function storageWords({ charged, stored, pendingCharged, released, restored }: StorageTotals) {
  const energy = energyLike([stored, released])
  const grid = charged - stored - pendingCharged
  return {
    stored: energy(stored),
    note: [
      `Restitué\u00a0: ${energy(released)}, dont ${energy(restored)} affectés.`,
      grid > 0 && `Chargé sur le réseau\u00a0: ${energy(grid)}.`,
    ]
      .filter(Boolean)
      .join(' '),
  }
}

export function StorageTile({ storage }: { storage: StorageTotals }) {
  const { stored, note } = storageWords(storage)
  return <Tile label="Stocké" figure={stored} note={note} />
}
