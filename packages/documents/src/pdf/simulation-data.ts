import type { HourlyEstimate } from '@voisol/contract/simulator'
import type { SimulatorResult } from '@voisol/energy/simulator'
import { formatNumber, formatWithUnit } from './pdf-number-formats.ts'

export type SimulationReport = {
  createdAt: Date
  project: string
  place: string
  building: string
  homes: number
  /** kWc, and kWh a year. */
  power: number
  consumption: number
  quick: SimulatorResult
  /** Null where only the quick formula was used. */
  hourly: (HourlyEstimate & { city: string; tilt: number }) | null
}

export const formatKwc = (value: number) => formatWithUnit(formatNumber(value, Number.isInteger(value) ? 0 : 1), 'kWc')
