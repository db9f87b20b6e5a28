import { useQuery } from '@tanstack/react-query'
import { allocations, type Run } from '@voisol/contract/allocations'
import { buildPeriodSearch } from '../../../lib/context.ts'
import { formatEnergy, formatNumber } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { formatFullDay } from '../../../ui/period/label.ts'
import { Table } from '../../../ui/table.tsx'
import { toWattHours } from '../words.tsx'

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
          to={`/companies/${user?.companyId ?? ''}/operations/${run.operationId}/load-curves?onglet=completude&${buildPeriodSearch({ unit: 'range', from: run.from, to: run.to })}`}
        >
          Voir les relevés manquants
        </ButtonLink>
      }
    >
      <Table
        label="Jours non répartis"
        rows={days}
        columns={[
          { header: 'Jour', cell: ({ day }) => <span className="whitespace-nowrap">{formatFullDay(day)}</span> },
          { header: 'Pas exclus', align: 'end', cell: ({ excluded }) => formatNumber(excluded) },
          { header: 'Énergie locale', align: 'end', cell: ({ allocated }) => formatEnergy(toWattHours(allocated)) },
          { header: 'Surplus', align: 'end', cell: ({ surplus }) => formatEnergy(toWattHours(surplus)) },
        ]}
      />
    </Card>
  )
}
