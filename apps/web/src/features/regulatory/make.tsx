import { type RegulatoryKind, regulatory } from '@voisol/contract/regulatory'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { useState } from 'react'
import { only } from '../../lib/can.tsx'
import { explain } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { monthLabel } from '../../ui/period/label.ts'
import { todayInParis } from '../../ui/period/period.ts'
import { Select } from '../../ui/select.tsx'

type Props = { kind: RegulatoryKind; operationId: string; periodOf: 'now' | 'month' | 'year' }
type Option = { value: string; label: string }

const MONTHS = 24
const YEARS = 5
/** Of movements those to come too: they are announced before they take effect. */
function monthsOf(kind: RegulatoryKind): Option[] {
  const first = monthOf(todayInParis())
  const ahead = kind === 'movements' ? 2 : -1
  return Array.from({ length: MONTHS }, (_, at) => addMonths(first, ahead - at)).map((day) => ({
    value: day.slice(0, 7),
    label: monthLabel(day),
  }))
}
function yearsOf(): Option[] {
  const year = Number(todayInParis().slice(0, 4))
  return Array.from({ length: YEARS }, (_, at) => ({ value: `${year - at}`, label: `${year - at}` }))
}
/** The month that goes on, or the year that is over. */
const usualOf = ({ kind, periodOf }: Props) => {
  const today = todayInParis()
  if (periodOf === 'now') return ''
  if (periodOf === 'year') return `${Number(today.slice(0, 4)) - 1}`
  return kind === 'movements' ? today.slice(0, 7) : addMonths(monthOf(today), -1).slice(0, 7)
}

export const MakeVersion = only(regulatory.make, (props: Props) => {
  const { kind, operationId, periodOf } = props
  const [period, setPeriod] = useState(() => usualOf(props))
  const make = useAction(regulatory.make, [regulatory.list, regulatory.duties])
  const run = () =>
    make.run({ body: { operationId, kind, period } }).then(
      ({ number, already }) =>
        toast(
          already
            ? {
                title: 'Rien n’a changé',
                description: `La version ${number} dit déjà l’état du jour.`,
                variant: 'success',
              }
            : { title: `Version ${number} établie`, variant: 'success' },
        ),
      (error: unknown) => toast({ title: 'Version non établie', description: explain(error), variant: 'destructive' }),
    )
  return (
    <>
      {periodOf !== 'now' && (
        <Select
          aria-label={periodOf === 'month' ? 'Mois' : 'Année'}
          className="w-44"
          value={period}
          options={periodOf === 'month' ? monthsOf(kind) : yearsOf()}
          onChange={({ target }) => setPeriod(target.value)}
        />
      )}
      <Button variant="secondary" size="small" loading={make.isPending} onClick={run}>
        Établir
      </Button>
    </>
  )
})
