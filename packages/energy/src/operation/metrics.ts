/** Sums of one period, all in the same unit. */
type EnergyTotals = { produced: number; allocated: number; consumed: number }
type EnergyRates = {
  /** Σa / ΣP; null when nothing was produced. */
  selfConsumption: number | null
  /** Σa / ΣC; null when nothing was consumed. */
  selfProduction: number | null
  /** ΣP / ΣC: what local production would cover if it came at the right time. */
  coverage: number | null
  surplus: number
  complement: number
}

const divideOrNull = (part: number, whole: number) => (whole > 0 ? part / whole : null)

export const computeRates = ({ produced, allocated, consumed }: EnergyTotals): EnergyRates => ({
  selfConsumption: divideOrNull(allocated, produced),
  selfProduction: divideOrNull(allocated, consumed),
  coverage: divideOrNull(produced, consumed),
  surplus: produced - allocated,
  complement: consumed - allocated,
})

type QualityLevel = 'excellent' | 'good' | 'acceptable' | 'insufficient'
type DataQuality = { score: number | null; level: QualityLevel | null }

/** Q = 1 − (holes + aberrant + inconsistent) / expected. */
export function computeDataQuality(steps: {
  expected: number
  holes: number
  aberrant?: number
  inconsistent?: number
}): DataQuality {
  const { expected, holes, aberrant = 0, inconsistent = 0 } = steps
  if (expected <= 0) return { score: null, level: null }
  const score = Math.max(0, 1 - (holes + aberrant + inconsistent) / expected)
  return {
    score,
    level: score > 0.95 ? 'excellent' : score >= 0.9 ? 'good' : score >= 0.8 ? 'acceptable' : 'insufficient',
  }
}

/** Grams of CO₂ avoided by watt-hours that came from local sun instead of the grid; factors in grams per kWh. */
export const computeAvoidedCo2Grams = (wattHours: number, gridGramsPerKwh: number, pvGramsPerKwh: number): number =>
  Math.round((wattHours * (gridGramsPerKwh - pvGramsPerKwh)) / 1000)
