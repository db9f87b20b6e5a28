export type ChartBox = { width: number; height: number }

/** A staircase over the hours, as the outline of an area between two levels. */
export function buildStairArea(from: number[], to: number[], highest: number, { width, height }: ChartBox): string {
  const x = (hour: number) => Math.round((hour / from.length) * width * 10) / 10
  const y = (value: number) => Math.round((1 - value / highest) * height * 10) / 10
  const along = (values: number[], hours: number[], side: (hour: number) => [number, number]) =>
    hours.map((hour) =>
      side(hour)
        .map((edge) => `${x(edge)} ${y(values[hour] ?? 0)}`)
        .join('L'),
    )
  const hours = from.map((_, hour) => hour)
  const up = along(to, hours, (hour) => [hour, hour + 1])
  const down = along(from, hours.toReversed(), (hour) => [hour + 1, hour])
  return `M${[...up, ...down].join('L')}Z`
}

/** The same staircase as a line. */
export function buildStairLine(values: number[], highest: number, { width, height }: ChartBox): string {
  const x = (hour: number) => Math.round((hour / values.length) * width * 10) / 10
  const y = (value: number) => Math.round((1 - value / highest) * height * 10) / 10
  return `M${values.map((value, hour) => `${x(hour)} ${y(value)}H${x(hour + 1)}`).join('L')}`
}

const ROUND_FACTORS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10]

/** A round number at or above, whose half is round too. */
export function roundUpForAxis(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return (ROUND_FACTORS.find((factor) => factor * power >= value) ?? 10) * power
}
