/** Measured values with their forecasts; a pair whose measured side is missing (NaN or below zero) does not count. */
type Values = ArrayLike<number>

function averageKnown(measured: Values, of: (value: number, at: number) => number): number {
  let [sum, count] = [0, 0]
  for (let at = 0; at < measured.length; at++) {
    const value = measured[at] ?? Number.NaN
    if (Number.isNaN(value) || value < 0) continue
    sum += of(value, at)
    count++
  }
  return count > 0 ? sum / count : Number.NaN
}

/** All are parts of `peak`, NaN where nothing was measured. */
export const computeNmae = (measured: Values, said: Values, peak: number): number =>
  averageKnown(measured, (value, at) => Math.abs(value - (said[at] ?? 0))) / peak

export const computeNrmse = (measured: Values, said: Values, peak: number): number =>
  Math.sqrt(averageKnown(measured, (value, at) => (value - (said[at] ?? 0)) ** 2)) / peak

/** Above zero: the forecast was too high. */
export const computeBias = (measured: Values, said: Values, peak: number): number =>
  averageKnown(measured, (value, at) => (said[at] ?? 0) - value) / peak

export const computePinball = (measured: Values, said: Values, level: number, peak: number): number =>
  averageKnown(measured, (value, at) => {
    const error = value - (said[at] ?? 0)
    return error > 0 ? level * error : (level - 1) * error
  }) / peak

/** Part of the values within the band, its bounds included. */
export const computeBandCoverage = (measured: Values, low: Values, high: Values): number =>
  averageKnown(measured, (value, at) => (value >= (low[at] ?? 0) && value <= (high[at] ?? 0) ? 1 : 0))

/** 1 is perfect, 0 as good as the other, below zero worse. */
export const computeSkill = (error: number, ofPersistence: number): number => 1 - error / ofPersistence
