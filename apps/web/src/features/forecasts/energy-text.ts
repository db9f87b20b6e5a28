import { formatKwh } from '../../lib/format.ts'

/** Kilowatt-hours, as fine as their size asks for. */
export const formatForecastEnergy = (wattHours: number | null): string =>
  wattHours === null ? '—' : formatKwh(wattHours / 1000, wattHours < 100_000 ? 1 : 0)
