const NBSP = '\u00a0'

const numberFormats = new Map<string, Intl.NumberFormat>()
function numberFormat(minimum: number, maximum: number) {
  const key = `${minimum}-${maximum}`
  const known = numberFormats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: minimum, maximumFractionDigits: maximum })
  numberFormats.set(key, made)
  return made
}

/** 1234.5 gives « 1 234,5 »; with decimals given, exactly that many. */
export const number = (value: number, decimals?: number) =>
  numberFormat(decimals ?? 0, decimals ?? 3).format(Object.is(value, -0) ? 0 : value)

export const withUnit = (value: string, unit: string) => value + NBSP + unit

/** Integer cents to euros. */
export const money = (cents: number) => withUnit(number(cents / 100, 2), '€')

type Scale = { unit: string; size: number; decimals: number }
const ENERGY: [Scale, ...Scale[]] = [
  { unit: 'Wh', size: 1, decimals: 0 },
  { unit: 'kWh', size: 1e3, decimals: 1 },
  { unit: 'MWh', size: 1e6, decimals: 2 },
]
const POWER: [Scale, ...Scale[]] = [
  { unit: 'W', size: 1, decimals: 0 },
  { unit: 'kW', size: 1e3, decimals: 2 },
  { unit: 'MW', size: 1e6, decimals: 2 },
]

/** The first unit in which the rounded figure stays under 1 000. */
function scaleOf(value: number, scales: [Scale, ...Scale[]]): Scale {
  const rounded = (scale: Scale) => Number((Math.abs(value) / scale.size).toFixed(scale.decimals))
  return scales.find((candidate) => rounded(candidate) < 1000) ?? scales.at(-1) ?? scales[0]
}
const inScale = (value: number, { unit, size, decimals }: Scale) => withUnit(number(value / size, decimals), unit)
const scaled = (value: number, scales: [Scale, ...Scale[]]) => inScale(value, scaleOf(value, scales))

export const energy = (wattHours: number) => scaled(wattHours, ENERGY)

/** Figures that stand side by side share a unit, that of the largest. */
export function energyLike(wattHours: number[]) {
  const scale = scaleOf(Math.max(0, ...wattHours.map(Math.abs)), ENERGY)
  return (value: number) => inScale(value, scale)
}

export const power = (watts: number) => scaled(watts, POWER)
export const kwh = (kilowattHours: number, decimals = 1) => withUnit(number(kilowattHours, decimals), 'kWh')

/** A ratio: 0.123 gives « 12,3 % ». */
export const percent = (ratio: number, decimals?: number) =>
  withUnit(numberFormat(decimals ?? 0, decimals ?? 1).format(ratio * 100), '%')
