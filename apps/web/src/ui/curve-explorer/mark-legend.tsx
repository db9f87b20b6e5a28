import type { ReactNode } from 'react'
import type { summarizeIndexRange } from './model.ts'
import { formatCurveStepCount, type StepName } from './summary.ts'

const Sample = ({ children }: { children: ReactNode }) => (
  <svg aria-hidden="true" width="18" height="12" viewBox="0 0 18 12">
    {children}
  </svg>
)
const DIAMOND_PATH = 'M4 2l4 4-4 4-4-4zM8 6h10'

type MarkLegendProps = { facts: ReturnType<typeof summarizeIndexRange>; nights: boolean; stepName?: StepName }

/** What the marks on the curve mean, where there are any. */
export function MarkLegend({ facts, nights, stepName = 'pas' }: MarkLegendProps) {
  const { before, missing, doubtful, estimated, corrected } = facts
  const items: [boolean, ReactNode, string][] = [
    [
      before > 0,
      <span key="b" aria-hidden="true" className="h-3 w-[18px] rounded-xs border border-line-strong bg-card" />,
      `Avant votre entrée (${formatCurveStepCount(before, stepName)})`,
    ],
    [
      missing > 0,
      <span key="m" aria-hidden="true" className="hatch-missing h-3 w-[18px] rounded-xs border border-line-strong" />,
      `Manquant (${formatCurveStepCount(missing, stepName)})`,
    ],
    [
      doubtful > 0,
      <Sample key="d">
        <path d="M1 9l3-6 3 6 3-6 3 6 3-6" fill="none" stroke="#334155" strokeWidth="1.5" />
      </Sample>,
      `${formatCurveStepCount(doubtful, stepName, 'douteux')} selon le distributeur`,
    ],
    [
      estimated > 0,
      <Sample key="e">
        <path d="M1 6h16" stroke="#334155" strokeWidth="2" strokeDasharray="2 3" />
      </Sample>,
      formatCurveStepCount(estimated, stepName, 'estimé'),
    ],
    [
      corrected > 0,
      <Sample key="c">
        <path d={DIAMOND_PATH} fill="#334155" stroke="#334155" />
      </Sample>,
      formatCurveStepCount(corrected, stepName, 'corrigé'),
    ],
    [nights, <span key="n" aria-hidden="true" className="h-3 w-[18px] rounded-xs bg-consumption/10" />, 'Nuit'],
  ]
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem] text-ink-soft">
      {items.map(
        ([shown, sample, words]) =>
          shown && (
            <li key={words} className="inline-flex items-center gap-1.5">
              {sample}
              {words}
            </li>
          ),
      )}
    </ul>
  )
}
