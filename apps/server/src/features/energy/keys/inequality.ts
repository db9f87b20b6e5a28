/** Gini index of the coverage of consumers: 0 when all are covered equally, near 1 when one gets everything. */
export function computeGiniIndex(rates: (number | null)[]): number | null {
  const sorted = rates.filter((rate) => rate !== null).sort((a, b) => a - b)
  const sum = sorted.reduce((all, rate) => all + rate, 0)
  if (sum === 0) return null
  const ranked = sorted.reduce((all, rate, at) => all + (at + 1) * rate, 0)
  const index = (2 * ranked) / (sorted.length * sum) - (sorted.length + 1) / sorted.length
  // Equal rates may give a rounding error below zero.
  return Math.max(0, index)
}
