import { dateTime } from '../../lib/format.ts'
import { valuesAt } from './text.ts'
import type { ChartData, Series } from './types.ts'

/** The sample differs by shape as well as by colour. */
export const Swatch = ({ kind, color }: Pick<Series, 'kind' | 'color'>) => (
  <svg aria-hidden="true" width="18" height="12" viewBox="0 0 18 12" className="shrink-0">
    {kind === 'stacked' && <rect x="1" y="1" width="16" height="10" rx="2" fill={color} />}
    {kind === 'area' && <path d="M1 11V4h16v7Z" fill={color} opacity="0.25" />}
    {kind !== 'stacked' && (
      <path
        d={kind === 'area' ? 'M1 4h16' : 'M1 6h16'}
        stroke={color}
        strokeWidth="2"
        strokeDasharray={kind === 'dashed' ? '5 3' : undefined}
      />
    )}
  </svg>
)

/** Names of the series, and under the cursor their values and shares. */
export const Legend = ({ data, index }: { data: ChartData; index: number | null }) => {
  const instant = index === null ? undefined : data.times[index]
  return (
    <div className="grid min-h-6 gap-x-5 gap-y-1 text-[0.8125rem] sm:flex sm:flex-wrap sm:items-center">
      {valuesAt(data, index ?? -1).map((one) => (
        <span key={one.label} className="inline-flex items-center gap-1.5">
          <Swatch kind={one.kind} color={one.color} />
          <span className="text-ink-soft">{one.label}</span>
          {instant !== undefined && (
            <span className="tabular ml-auto font-medium sm:ml-0">
              {one.text}
              {one.share && <span className="font-normal text-ink-soft"> ({one.share})</span>}
            </span>
          )}
        </span>
      ))}
      <span className="tabular text-ink-soft sm:ml-auto">
        {instant === undefined ? `En ${data.unit}` : dateTime(instant * 1000)}
      </span>
    </div>
  )
}
