import { kwh } from '../../lib/format.ts'

/** Kilowatt-hours, as fine as their size asks for. */
export const energyText = (wattHours: number | null): string =>
  wattHours === null ? '—' : kwh(wattHours / 1000, wattHours < 100_000 ? 1 : 0)
