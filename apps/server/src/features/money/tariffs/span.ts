import { isAdopted, type TariffVersionRow } from './prices.ts'

/** From its first day until the next adopted version begins; for a draft, as if it were adopted. */
export function getTariffPeriod(
  { id, startsOn }: Pick<TariffVersionRow, 'id' | 'startsOn'>,
  all: readonly TariffVersionRow[],
) {
  const next = all.find((other) => isAdopted(other) && other.id !== id && other.startsOn > startsOn)
  return { from: startsOn, to: next?.startsOn ?? null }
}
