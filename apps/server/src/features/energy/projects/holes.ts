/** Fills gaps with the profile's shape, scaled to the readings received. */
export function fillMissingWithProfile(load: Int32Array, shape: Int32Array): Int32Array {
  let received = 0
  let expected = 0
  load.forEach((value, at) => {
    if (value < 0) return
    received += value
    expected += shape[at] ?? 0
  })
  const scale = expected > 0 ? received / expected : 0
  return load.map((value, at) => (value < 0 ? Math.round((shape[at] ?? 0) * scale) : value))
}
