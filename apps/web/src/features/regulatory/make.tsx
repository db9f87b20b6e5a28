import { type RegulatoryKind, regulatory } from '@voisol/contract/regulatory'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { formatMonthYear } from '../../ui/period/label.ts'
import { getTodayInParis } from '../../ui/period/period.ts'
import { Select } from '../../ui/select.tsx'

type Props = { kind: RegulatoryKind; operationId: string; periodOf: 'now' | 'month' | 'year' }
type PeriodOption = { value: string; label: string }

const OFFERED_MONTHS = 24
const OFFERED_YEARS = 5
/** Of movements those to come too: they are announced before they take effect. */
function buildMonthOptions(kind: RegulatoryKind): PeriodOption[] {
  const first = monthOf(getTodayInParis())
  const ahead = kind === 'movements' ? 2 : -1
  return Array.from({ length: OFFERED_MONTHS }, (_, at) => addMonths(first, ahead - at)).map((day) => ({
    value: day.slice(0, 7),
    label: formatMonthYear(day),
  }))
}
function buildYearOptions(): PeriodOption[] {
  const year = Number(getTodayInParis().slice(0, 4))
  return Array.from({ length: OFFERED_YEARS }, (_, at) => ({ value: `${year - at}`, label: `${year - at}` }))
}
/** The month that goes on, or the year that is over. */
const getUsualPeriod = ({ kind, periodOf }: Props) => {
  const today = getTodayInParis()
  if (periodOf === 'now') return ''
  if (periodOf === 'year') return `${Number(today.slice(0, 4)) - 1}`
  return kind === 'movements' ? today.slice(0, 7) : addMonths(monthOf(today), -1).slice(0, 7)
}

export const MakeVersionButton = withAccess(regulatory.make, (props: Props) => {
  const { kind, operationId, periodOf } = props
  const [period, setPeriod] = useState(() => getUsualPeriod(props))
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
      (error: unknown) =>
        toast({ title: 'Version non établie', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <>
      {periodOf !== 'now' && (
        <Select
          aria-label={periodOf === 'month' ? 'Mois' : 'Année'}
          className="w-44"
          value={period}
          options={periodOf === 'month' ? buildMonthOptions(kind) : buildYearOptions()}
          onChange={({ target }) => setPeriod(target.value)}
        />
      )}
      <Button variant="secondary" size="small" loading={make.isPending} onClick={run}>
        Établir
      </Button>
    </>
  )
})
