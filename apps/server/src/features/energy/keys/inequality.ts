/** Gini index of the coverage of those who consume: 0 when all are covered alike, towards 1 when one has all. */
export function computeGiniIndex(rates: (number | null)[]): number | null {
  const sorted = rates.filter((rate) => rate !== null).sort((a, b) => a - b)
  const sum = sorted.reduce((all, rate) => all + rate, 0)
  if (sum === 0) return null
  const ranked = sorted.reduce((all, rate, at) => all + (at + 1) * rate, 0)
  const index = (2 * ranked) / (sorted.length * sum) - (sorted.length + 1) / sorted.length
  // Equal rates may leave a rounding error below zero.
  return Math.max(0, index)
}
