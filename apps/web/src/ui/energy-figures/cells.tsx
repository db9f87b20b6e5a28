import { createEnergyFormatter } from '../../lib/format.ts'

type ProductionTotals = { produced: number; shared: number; surplus: number; pendingProduced: number }

/** The energies of one row, in one unit; without a run nothing is known of what was shared. */
export function formatProduction({ produced, shared, surplus, pendingProduced }: ProductionTotals) {
  const energy = createEnergyFormatter([produced, shared, surplus])
  const formatShared = (value: number) => (shared + surplus > 0 ? energy(value) : '–')
  return {
    produced: produced > 0 ? energy(produced) : '–',
    shared: formatShared(shared),
    surplus: formatShared(surplus),
    pending: pendingProduced > 0 ? energy(pendingProduced) : null,
  }
}

/** A production, and under it what of it is in no run yet. */
export function ProducedCell({ row }: { row: ProductionTotals }) {
  const { produced, pending } = formatProduction(row)
  return (
    <span className="block">
      {produced}
      {pending !== null && (
        <span className="block text-[0.8125rem] text-ink-soft">
          <span
            aria-hidden="true"
            className="hatch-missing mr-1.5 inline-block h-2.5 w-3.5 border border-line-strong"
          />
          {pending} pas encore répartis
        </span>
      )}
    </span>
  )
}
