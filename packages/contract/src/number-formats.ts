const NBSP = '\u00a0'

const numberFormats = new Map<string, Intl.NumberFormat>()
function getNumberFormat(minimum: number, maximum: number) {
  const key = `${minimum}-${maximum}`
  const known = numberFormats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: minimum, maximumFractionDigits: maximum })
  numberFormats.set(key, made)
  return made
}

/** 1234.5 gives « 1 234,5 »; with decimals given, exactly that many. */
export const formatNumber = (value: number, decimals?: number) =>
  getNumberFormat(decimals ?? 0, decimals ?? 3).format(Object.is(value, -0) ? 0 : value)

export const withUnit = (value: string, unit: string) => value + NBSP + unit

/** Integer cents to euros. */
export const formatMoney = (cents: number) => withUnit(formatNumber(cents / 100, 2), '€')

type Scale = { unit: string; size: number; decimals: number }
const ENERGY_SCALES: [Scale, ...Scale[]] = [
  { unit: 'Wh', size: 1, decimals: 0 },
  { unit: 'kWh', size: 1e3, decimals: 1 },
  { unit: 'MWh', size: 1e6, decimals: 2 },
]
const POWER_SCALES: [Scale, ...Scale[]] = [
  { unit: 'W', size: 1, decimals: 0 },
  { unit: 'kW', size: 1e3, decimals: 2 },
  { unit: 'MW', size: 1e6, decimals: 2 },
]

/** The first unit in which the rounded figure stays under 1 000. */
function chooseScale(value: number, scales: [Scale, ...Scale[]]): Scale {
  const roundToScale = (scale: Scale) => Number((Math.abs(value) / scale.size).toFixed(scale.decimals))
  return scales.find((candidate) => roundToScale(candidate) < 1000) ?? scales.at(-1) ?? scales[0]
}
const formatInScale = (value: number, { unit, size, decimals }: Scale) =>
  withUnit(formatNumber(value / size, decimals), unit)
const formatScaled = (value: number, scales: [Scale, ...Scale[]]) => formatInScale(value, chooseScale(value, scales))

export const formatEnergy = (wattHours: number) => formatScaled(wattHours, ENERGY_SCALES)

/** Figures that stand side by side share a unit, that of the largest. */
export function createEnergyFormatter(wattHours: number[]) {
  const scale = chooseScale(Math.max(0, ...wattHours.map(Math.abs)), ENERGY_SCALES)
  return (value: number) => formatInScale(value, scale)
}

export const formatPower = (watts: number) => formatScaled(watts, POWER_SCALES)
export const formatKwh = (kilowattHours: number, decimals = 1) => withUnit(formatNumber(kilowattHours, decimals), 'kWh')

/** A ratio: 0.123 gives « 12,3 % ». */
export const formatPercent = (ratio: number, decimals?: number) =>
  withUnit(getNumberFormat(decimals ?? 0, decimals ?? 1).format(ratio * 100), '%')
