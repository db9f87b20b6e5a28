import { energy, money, number, power } from '../../lib/format.ts'

/** In what a curve is told: its units on the axis, one value in words, and the sum of a stretch of it in words. */
export type Measure = {
  /** What the axis may use, smallest first; `size` is one such unit in the values' own. */
  units: { unit: string; size: number }[]
  text: (value: number) => string
  /** `step` in minutes. */
  total: (sum: number, step: number) => string
}

const carbon = (grams: number) => {
  const [size, unit] = Math.abs(grams) < 1e3 ? [1, 'g'] : Math.abs(grams) < 1e6 ? [1e3, 'kg'] : [1e6, 't']
  return `${number(grams / size, size === 1 ? 0 : 1)}\u00a0${unit}`
}

const scale = (...units: string[]) => units.map((unit, index) => ({ unit, size: 1000 ** index }))

export const measures = {
  /** Mean watts over each step; their sum over time is an energy. */
  power: { units: scale('W', 'kW', 'MW'), text: power, total: (sum, step) => energy((sum * step) / 60) },
  /** Watt-hours per step, day or month. */
  energy: { units: scale('Wh', 'kWh', 'MWh'), text: energy, total: energy },
  /** Cents. */
  money: { units: [{ unit: '€', size: 100 }], text: money, total: money },
  /** Grams of CO₂. */
  carbon: { units: scale('g', 'kg', 't'), text: carbon, total: carbon },
} satisfies Record<string, Measure>

/** The largest unit in which the peak is at least 1. */
export const axisUnit = ({ units }: Measure, peak: number) =>
  units.findLast(({ size }) => peak >= size) ?? units[0] ?? { unit: '', size: 1 }
