import { useQuery } from '@tanstack/react-query'
import { allocations, type Run } from '@voisol/contract/allocations'
import { daysSearch } from '../../../lib/context.ts'
import { energy, number } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { fullDayLabel } from '../../../ui/period/label.ts'
import { Table } from '../../../ui/table.tsx'
import { wattHours } from '../words.tsx'

/** The days on which something could not be shared, for whoever will ask for the readings. */
export function ExcludedDays({ run }: { run: Run }) {
  const { user } = useSession()
  const { data } = useQuery(query(allocations.days, { params: { id: run.id } }))
  const days = data?.items.filter(({ excluded }) => excluded > 0).map((item) => ({ ...item, id: item.day })) ?? []
  if (days.length === 0) return null
  return (
    <Card
      title="Jours non répartis"
      description="À certains instants de ces jours, personne n’avait de relevé ou aucune clé n’était en vigueur."
      actions={
        <ButtonLink
          variant="secondary"
          size="small"
          to={`/companies/${user?.companyId ?? ''}/operations/${run.operationId}/load-curves?onglet=completude&${daysSearch({ unit: 'range', from: run.from, to: run.to })}`}
        >
          Voir les relevés manquants
        </ButtonLink>
      }
    >
      <Table
        label="Jours non répartis"
        rows={days}
        columns={[
          { header: 'Jour', cell: ({ day }) => <span className="whitespace-nowrap">{fullDayLabel(day)}</span> },
          { header: 'Pas exclus', align: 'end', cell: ({ excluded }) => number(excluded) },
          { header: 'Énergie locale', align: 'end', cell: ({ allocated }) => energy(wattHours(allocated)) },
          { header: 'Surplus', align: 'end', cell: ({ surplus }) => energy(wattHours(surplus)) },
        ]}
      />
    </Card>
  )
}
