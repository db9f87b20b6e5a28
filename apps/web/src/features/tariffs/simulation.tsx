import { useQuery } from '@tanstack/react-query'
import { billing } from '@voisol/contract/billing'
import type { SimulatedMember } from '@voisol/contract/billing-documents'
import type { Tariff } from '@voisol/contract/tariffs'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { useId, useState } from 'react'
import type { z } from 'zod'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatKwh, formatMoney, formatMonth as monthWords } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { getTodayInParis } from '../../ui/period/period.ts'
import { Select } from '../../ui/select.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'

type MemberRow = z.infer<typeof SimulatedMember>
const OFFERED_MONTHS = 24

/** The months that are over, the last one first. */
const getPastMonths = (today = getTodayInParis()) =>
  Array.from({ length: OFFERED_MONTHS }, (_, at) => addMonths(monthOf(today), -1 - at).slice(0, 7))

const formatSignedMoney = (cents: number) => (cents > 0 ? `+${formatMoney(cents)}` : formatMoney(cents))
const Amount = ({ cents }: { cents: number }) => <span className="tabular">{formatMoney(cents)}</span>

const columns: Column<MemberRow>[] = [
  { header: 'Membre', cell: ({ name }) => <span className="font-medium">{name}</span>, card: 'title' },
  { header: 'Énergie', cell: ({ wh }) => <span className="tabular">{formatKwh(wh / 1000)}</span>, align: 'end' },
  { header: 'Tarif en vigueur', cell: ({ gross }) => <Amount cents={gross} />, align: 'end' },
  { header: 'Avec cette version', cell: ({ simulatedGross }) => <Amount cents={simulatedGross} />, align: 'end' },
  {
    header: 'Écart',
    cell: ({ gross, simulatedGross }) => (
      <span className="tabular font-medium">{formatSignedMoney(simulatedGross - gross)}</span>
    ),
    align: 'end',
  },
]

function SimulationResult({ tariff, month }: { tariff: Tariff; month: string }) {
  const body = { operationId: tariff.operationId, month, tariffId: tariff.id }
  const { data, error } = useQuery({ ...query(billing.simulate, { body }), staleTime: 0 })
  if (error)
    return (
      <p role="alert" className="text-body text-danger">
        {explainError(error)}
      </p>
    )
  if (!data) return <TableSkeleton label="Simulation" />
  const { gross, simulatedGross } = data.totals
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <p className="text-body">
        Au total, <strong className="tabular font-semibold">{formatMoney(simulatedGross)}</strong> au lieu de{' '}
        <span className="tabular">{formatMoney(gross)}</span>, soit{' '}
        <strong className="tabular font-semibold">{formatSignedMoney(simulatedGross - gross)}</strong>, toutes taxes
        comprises.
      </p>
      <Table label="Simulation par membre" rows={data.members} columns={columns} />
    </div>
  )
}

/** What a month that is over would have cost each member under this version, beside what held then. */
export const TariffSimulation = withAccess(billing.simulate, ({ tariff }: { tariff: Tariff }) => {
  const id = useId()
  const [month, setMonth] = useState('')
  return (
    <Card
      title="Simuler sur un mois passé"
      description="Les mêmes kilowattheures, facturés par cette version telle qu’elle est enregistrée. Rien n’est écrit."
    >
      <div className="grid gap-5 [&>*]:min-w-0">
        <div className="max-w-xs">
          <FieldFrame id={id} label="Mois">
            <Select
              id={id}
              value={month}
              onChange={({ target }) => setMonth(target.value)}
              options={[
                { value: '', label: 'Choisir un mois' },
                ...getPastMonths().map((each) => ({ value: each, label: monthWords(`${each}-15`) })),
              ]}
            />
          </FieldFrame>
        </div>
        {month && <SimulationResult key={month} tariff={tariff} month={month} />}
      </div>
    </Card>
  )
})
