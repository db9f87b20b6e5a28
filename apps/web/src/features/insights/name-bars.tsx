import type { Evidence } from '@voisol/contract/insights'
import { formatNumber } from '../../lib/format.ts'
import { EVIDENCE_STROKES } from './lines.tsx'

const MAX_BARS = 12

/** One group of bars for each name; beyond a dozen the table alone has them. */
export function EvidenceBars({ evidence: { labels, series, unit } }: { evidence: Evidence }) {
  const maxValue = Math.max(1e-9, ...series.flatMap(({ values }) => values.map((value) => Math.abs(value ?? 0))))
  return (
    <div aria-hidden="true" className="grid gap-3">
      {labels.slice(0, MAX_BARS).map((label, at) => (
        <div key={label} className="grid gap-1 sm:grid-cols-[14rem_minmax(0,1fr)] sm:gap-4">
          <span className="truncate text-body">{label}</span>
          <div className="grid content-center gap-1">
            {series.map(({ name, values }, which) => (
              <div key={name} className="flex items-center gap-2">
                <span
                  className="h-2.5 rounded-sm"
                  style={{
                    width: `${(80 * Math.abs(values[at] ?? 0)) / maxValue}%`,
                    background: EVIDENCE_STROKES[which % 3]?.color,
                  }}
                />
                <span className="tabular text-[0.8125rem] whitespace-nowrap text-ink-soft">
                  {values[at] === null ? '–' : `${formatNumber(values[at] ?? 0, 1)}\u00a0${unit}`}
                </span>
              </div>
            ))}
          </div>
        </div>
      ))}
      {labels.length > MAX_BARS && (
        <p className="text-body text-ink-soft">{`Les ${labels.length} lignes sont dans le tableau.`}</p>
      )}
    </div>
  )
}
