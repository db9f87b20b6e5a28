import { isAdopted, type Version } from './prices.ts'

/** From its first day until the next adopted version begins; of a draft, as if it were adopted. */
export function spanOf({ id, startsOn }: Pick<Version, 'id' | 'startsOn'>, all: readonly Version[]) {
  const next = all.find((other) => isAdopted(other) && other.id !== id && other.startsOn > startsOn)
  return { from: startsOn, to: next?.startsOn ?? null }
}
