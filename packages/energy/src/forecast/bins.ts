/** Columns cut into at most 48 bins of equal count; bin 0 is for missing values. */
export type Bins = { cuts: number[][]; codes: Uint8Array[] }

export const MAX_BINS = 48
/** A cut below every value: it separates missing values from the rest. */
export const HOLES_ONLY = -1e300

const roundToSixDigits = (value: number) => Number(value.toPrecision(6))

/** The known values of a column, sorted. */
function sortKnown(column: Float64Array): Float64Array {
  const known = new Float64Array(column.length)
  let count = 0
  for (let row = 0; row < column.length; row++) {
    const value = column[row] as number // within bounds
    known[count] = value
    if (!Number.isNaN(value)) count++
  }
  return known.subarray(0, count).sort()
}

function computeCuts(column: Float64Array): number[] {
  const known = sortKnown(column)
  const cuts: number[] = []
  for (let bin = 1; bin < MAX_BINS - 1; bin++) {
    const cut = known[Math.floor((bin * known.length) / (MAX_BINS - 1))]
    if (cut === undefined) continue
    const rounded = roundToSixDigits(cut)
    if (cuts.length === 0 || rounded > (cuts.at(-1) ?? 0)) cuts.push(rounded)
  }
  return cuts
}

/** 0 for a missing value, else one more than the number of cuts below the value. */
function getBinCode(cuts: number[], value: number): number {
  if (Number.isNaN(value)) return 0
  let [low, high] = [0, cuts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (value > (cuts[middle] ?? 0)) low = middle + 1
    else high = middle
  }
  return low + 1
}

function getBinCodes(cuts: number[], column: Float64Array): Uint8Array {
  const codes = new Uint8Array(column.length)
  for (let row = 0; row < column.length; row++) codes[row] = getBinCode(cuts, column[row] as number) // within bounds
  return codes
}

/** Cuts come from the first `learnt` rows; the other rows are put into the same bins. */
export function buildBins(features: number[][], learnt = features.length): Bins {
  const width = features[0]?.length ?? 0
  const columns = Array.from({ length: width }, () => new Float64Array(features.length))
  for (let row = 0; row < features.length; row++) {
    const own = features[row] as number[] // within bounds; plain loops, because every fold passes all rows here
    for (let i = 0; i < width; i++) (columns[i] as Float64Array)[row] = own[i] ?? Number.NaN
  }
  const cuts = columns.map((column) => computeCuts(column.subarray(0, learnt)))
  const codes = columns.map((column, i) => getBinCodes(cuts[i] ?? [], column))
  return { cuts, codes }
}

/** The value up to which rows with at most this code go left. */
export const getCutValue = ({ cuts }: Bins, feature: number, code: number): number =>
  code === 0 ? HOLES_ONLY : (cuts[feature]?.[code - 1] ?? Number.MAX_VALUE)
