import { useQueryClient } from '@tanstack/react-query'
import { withDe } from '@voisol/contract/elision'
import { energy } from '@voisol/contract/energy'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { computeProportionalShares } from '@voisol/energy/shares'
import { useState } from 'react'
import { explainError } from '../../../lib/explain.ts'
import { query } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { getTodayInParis } from '../../../ui/period/period.ts'
import type { AllocationKeyMember } from '../use-members.ts'
import { KeyCell } from './cell.tsx'
import { computeEqualShares, formatShareInput, getShareCellName, sumTypedShares } from './form.ts'
import { ShareSumCheck } from './sum-check.tsx'
import type { KeyFormState } from './use-key-form.ts'

/** What each consumer drew over the last twelve months, by point. */
function useLoadConsumption(operationId: string) {
  const client = useQueryClient()
  return async () => {
    const to = getTodayInParis()
    const consumedByPoint = new Map<string, number>()
    for (let page = 1, total = 1; (page - 1) * 100 < total; page++) {
      const found = await client.fetchQuery(
        query(energy.members, {
          query: { operationId, from: addMonths(monthOf(to), -12), to, direction: 'consumption', size: 100, page },
        }),
      )
      total = found.total
      for (const { id, total: wh } of found.items) consumedByPoint.set(id, (consumedByPoint.get(id) ?? 0) + wh)
    }
    return consumedByPoint
  }
}

/** Watt-hours come with three decimals; shares are made of whole weights. */
const WEIGHTS_PER_WH = 1000

type ShareFieldsProps = { operationId: string; consumers: AllocationKeyMember[]; state: KeyFormState }

/** A part of the production for each consumer, in percent. */
export function ShareFields({ operationId, consumers, state: { form, setCell, setCells } }: ShareFieldsProps) {
  const [working, setWorking] = useState(false)
  const consumption = useLoadConsumption(operationId)
  const fill = (shares: number[]) =>
    setCells(
      Object.fromEntries(consumers.map(({ id }, at) => [getShareCellName(id), formatShareInput(shares[at] ?? 0)])),
    )
  const byConsumption = async () => {
    setWorking(true)
    try {
      const consumedByPoint = await consumption()
      fill(computeProportionalShares(consumers.map(({ id }) => (consumedByPoint.get(id) ?? 0) * WEIGHTS_PER_WH)))
    } catch (error) {
      toast({ title: 'Parts non calculées', description: explainError(error), variant: 'destructive' })
    } finally {
      setWorking(false)
    }
  }
  return (
    <section aria-label="Parts" className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <ShareSumCheck
          sum={sumTypedShares(
            form.cells,
            consumers.map(({ id }) => getShareCellName(id)),
          )}
        />
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="small" onClick={() => fill(computeEqualShares(consumers.length))}>
            Répartir également
          </Button>
          <Button variant="secondary" size="small" loading={working} onClick={byConsumption}>
            Selon la consommation d’un an
          </Button>
        </div>
      </div>
      <ul className="rounded-card border border-line bg-card px-4 py-1">
        {consumers.map(({ id, name, detail }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line py-2 first:border-0"
          >
            <span className="min-w-0 text-body">
              <span className="block font-medium">{name}</span>
              <span className="tabular block text-[0.8125rem] text-ink-soft">{detail}</span>
            </span>
            <span className="flex items-center gap-2">
              <KeyCell
                name={getShareCellName(id)}
                label={`Part ${withDe(name)}, en pour cent`}
                kind="share"
                value={form.cells[getShareCellName(id)] ?? ''}
                onChange={setCell}
              />
              <span aria-hidden="true" className="text-body text-ink-soft">
                %
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
