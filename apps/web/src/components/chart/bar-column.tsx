/** A level drawn across a bar: a total, a forecast, another period. */
export type BarLevel = { value: number | null; color: string; dashed?: boolean }

/** One value per series; null is missing. */
export type Bar = {
  label: string
  /** Where the label has no room; its first letter otherwise. */
  short?: string
  values: (number | null)[]
  /** Nothing is expected here: it is left empty. */
  before?: boolean
  levels?: BarLevel[]
}

export const isMissingBar = (bar: Bar) => bar.values.every((value) => value === null)

type BarColumnProps = { bar: Bar; width: number; y: (value: number) => number; patterns: string }

/** One bar with its layers and the levels across it; hatched where nothing is known, empty where nothing is expected. */
export function BarColumn({ bar, width, y, patterns }: BarColumnProps) {
  let below = 0
  return (
    <>
      {bar.before ? null : isMissingBar(bar) ? (
        <rect
          y={y(0) - 48}
          width={width}
          height={48}
          fill={`url(#${patterns}-missing)`}
          stroke="#CBD5E1"
          strokeDasharray="3 3"
        />
      ) : (
        bar.values.map((value, index) => {
          const from = below
          below += value ?? 0
          const height = Math.max(0, y(from) - y(below))
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: the series keep their order
              key={index}
              y={y(below)}
              width={width}
              height={height}
              fill={`url(#${patterns}-${index})`}
            />
          )
        })
      )}
      {bar.levels?.map(
        ({ value, color, dashed }, index) =>
          value !== null && (
            <line
              // biome-ignore lint/suspicious/noArrayIndexKey: the levels keep their order
              key={index}
              x1={-2}
              x2={width + 2}
              y1={y(value)}
              y2={y(value)}
              stroke={color}
              strokeWidth={dashed ? 1.5 : 2.25}
              strokeDasharray={dashed ? '3 2.5' : undefined}
            />
          ),
      )}
    </>
  )
}
