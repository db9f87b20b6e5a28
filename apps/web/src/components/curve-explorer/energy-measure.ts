import { formatEnergy, formatMoney, formatNumber, formatPower } from '../../lib/format.ts'

/** In what a curve is told: its units on the axis, one value in words, and the sum of a stretch of it in words. */
export type CurveMeasure = {
  /** What the axis may use, smallest first; `size` is one such unit in the values' own. */
  units: { unit: string; size: number }[]
  text: (value: number) => string
  /** `step` in minutes. */
  total: (sum: number, step: number) => string
}

const formatCarbon = (grams: number) => {
  const [size, unit] = Math.abs(grams) < 1e3 ? [1, 'g'] : Math.abs(grams) < 1e6 ? [1e3, 'kg'] : [1e6, 't']
  return `${formatNumber(grams / size, size === 1 ? 0 : 1)}\u00a0${unit}`
}

const toScaledUnits = (...units: string[]) => units.map((unit, index) => ({ unit, size: 1000 ** index }))

export const measures = {
  /** Mean watts over each step; their sum over time is an energy. */
  power: {
    units: toScaledUnits('W', 'kW', 'MW'),
    text: formatPower,
    total: (sum, step) => formatEnergy((sum * step) / 60),
  },
  /** Watt-hours per step, day or month. */
  energy: { units: toScaledUnits('Wh', 'kWh', 'MWh'), text: formatEnergy, total: formatEnergy },
  /** Cents. */
  money: { units: [{ unit: '€', size: 100 }], text: formatMoney, total: formatMoney },
  /** Grams of CO₂. */
  carbon: { units: toScaledUnits('g', 'kg', 't'), text: formatCarbon, total: formatCarbon },
} satisfies Record<string, CurveMeasure>

/** The largest unit in which the peak is at least 1. */
export const getAxisUnit = ({ units }: CurveMeasure, peak: number) =>
  units.findLast(({ size }) => peak >= size) ?? units[0] ?? { unit: '', size: 1 }
