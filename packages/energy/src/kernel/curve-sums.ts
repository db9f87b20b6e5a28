/** Adds a part of a curve; true when one of its values is unknown, which makes the sum of that step unusable. */
export function addCurve(total: Float64Array, values: Int32Array, start: number, first: number, last: number): boolean {
  let signs = 0
  for (let at = first; at < last; at++) {
    const value = values[start + at] ?? 0
    signs |= value
    total[at] = (total[at] ?? 0) + value
  }
  return signs < 0
}

type FourCurves = [Int32Array, Int32Array, Int32Array, Int32Array]

/** The same for four curves at once, in about the time of two: their memory reads overlap. */
function addFour(total: Float64Array, four: FourCurves, start: number, first: number, last: number): boolean {
  const [a, b, c, d] = four
  let signs = 0
  for (let at = first; at < last; at++) {
    const va = a[start + at] ?? 0
    const vb = b[start + at] ?? 0
    const vc = c[start + at] ?? 0
    const vd = d[start + at] ?? 0
    signs |= va | vb | vc | vd
    total[at] = (total[at] ?? 0) + (va + vb + vc + vd)
  }
  return signs < 0
}

/** Adds many curves; for each, says whether a value of it, or of the curves added with it, is unknown. */
export function addCurves(
  total: Float64Array,
  curves: readonly Int32Array[],
  start: number,
  [first, last]: [number, number],
  tell: (curve: Int32Array, holes: boolean) => void,
): void {
  for (let k = 0; k < curves.length; k += 4) {
    const [a, b, c, d] = curves.slice(k, k + 4)
    if (a && b && c && d) {
      const holes = addFour(total, [a, b, c, d], start, first, last)
      for (const curve of [a, b, c, d]) tell(curve, holes)
    } else for (const curve of curves.slice(k)) tell(curve, addCurve(total, curve, start, first, last))
  }
}
