import { type ChartData, formatInstantLabel, getValuesAt, type Series } from './series.ts'

/** The sample differs by shape as well as by colour. */
export const Swatch = ({ kind, color, pattern }: Pick<Series, 'kind' | 'color' | 'pattern'>) => (
  <svg aria-hidden="true" width="18" height="12" viewBox="0 0 18 12" className="shrink-0">
    {kind === 'stacked' && (
      <rect x="1" y="1" width="16" height="10" rx="2" fill={pattern === 'open' ? '#f1f5f9' : color} />
    )}
    {pattern === 'open' && <path d="M3 11 9 1M9 11l6-10" stroke={color} strokeWidth="1.5" />}
    {pattern === 'hatched' && <path d="M3 11 9 1M9 11l6-10" stroke="#fff" strokeOpacity="0.7" />}
    {pattern === 'barred' && <path d="M1 4h16M1 8h16" stroke="#fff" strokeOpacity="0.7" />}
    {pattern === 'dotted' && <path d="M5 6h0m4 0h0m4 0h0" stroke="#fff" strokeWidth="2" strokeLinecap="round" />}
    {kind === 'area' && <path d="M1 11V4h16v7Z" fill={color} opacity="0.25" />}
    {kind !== 'stacked' && (
      <path
        d={kind === 'area' ? 'M1 4h16' : 'M1 6h16'}
        stroke={color}
        strokeWidth={kind === 'compared' ? 1.5 : 2}
        strokeDasharray={{ dashed: '5 3', compared: '2 2.5' }[String(kind)]}
      />
    )}
  </svg>
)

/** Names of the series, and under the cursor their values and shares. */
export const Legend = ({ data, index }: { data: ChartData; index: number | null }) => {
  const instant = index === null ? undefined : data.times[index]
  return (
    <div className="grid min-h-6 gap-x-5 gap-y-1 text-[0.8125rem] sm:flex sm:flex-wrap sm:items-center">
      {getValuesAt(data, index ?? -1).map((one) => (
        <span key={one.label} className="inline-flex items-center gap-1.5">
          <Swatch kind={one.kind} color={one.color} pattern={one.pattern} />
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
        {instant === undefined ? `En ${data.unit}` : formatInstantLabel(data, instant)}
      </span>
    </div>
  )
}
