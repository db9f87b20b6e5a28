import { useId } from 'react'
import { DateInput } from '../../ui/date-input.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { CheckFindingList } from '../../ui/findings.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PriceMatrixTable } from './matrix.tsx'
import type { usePricePreview } from './use-trial.ts'

type PricePreviewProps = {
  trial: ReturnType<typeof usePricePreview>
  day: string
  onDay: (day: string) => void
  readable: boolean
}

/** Who would pay what on a day, while the prices are typed. */
export function PricePreview({ trial: { data, error, refetch }, day, onDay, readable }: PricePreviewProps) {
  const id = useId()
  return (
    <section aria-labelledby={`${id}-title`} className="grid gap-4 rounded-card bg-page p-4 sm:p-5 [&>*]:min-w-0">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h3 id={`${id}-title`} className="text-base font-semibold tracking-[-0.01em]">
          Qui paie quoi, quand
        </h3>
        <div className="w-44">
          <FieldFrame id={`${id}-day`} label="Le">
            <DateInput id={`${id}-day`} value={day} onValue={onDay} />
          </FieldFrame>
        </div>
      </div>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!readable && <p className="text-body text-ink-soft">Donnez chaque prix pour voir la grille.</p>}
      {readable && !data && !error && <Skeleton className="h-40 w-full" />}
      {readable && data && (
        <>
          <PriceMatrixTable matrix={data.matrix} />
          <CheckFindingList
            findings={data.problems.filter(({ rule }) => rule === null).map((problem) => ({ ...problem, rule: '' }))}
            fine={
              data.problems.length
                ? 'Voyez les remarques à côté des prix.'
                : 'Rien ne s’oppose à l’adoption de ce tarif.'
            }
          />
        </>
      )}
    </section>
  )
}
