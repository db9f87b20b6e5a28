import { type ContractEvent, distributorFiles } from '@voisol/contract/distributor-files'
import { ButtonLink } from '../../../../components/button.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { Link } from '../../../../components/link.tsx'
import { ListScreen } from '../../../../components/list-screen.tsx'
import type { Column } from '../../../../components/table.tsx'
import { withAccess } from '../../../../lib/can.tsx'
import { formatPrm } from '../../../../lib/energy-labels.ts'
import { formatDate } from '../../../../lib/format.ts'
import { useList } from '../../../../lib/queries.ts'
import { useCurveTabLink } from '../tab-link.ts'

const PointCell = ({ prm: digits, label, pointId }: ContractEvent) => (
  <span className="block min-w-44 py-1.5">
    {label && <span className="block font-medium">{label}</span>}
    <span className="tabular block text-[0.8125rem] whitespace-nowrap text-ink-soft">{formatPrm(digits)}</span>
    {pointId === null && <span className="block text-[0.8125rem] text-ink-soft">Inconnu ici</span>}
  </span>
)

/** As the distributor writes it: what 0, 1 and 2 mean is not published. */
const formatCollectiveCode = (code: number | null) =>
  code === null ? '' : `autoconsommation collective\u00a0: code\u00a0${code}`

const columns: Column<ContractEvent>[] = [
  {
    header: 'Date',
    card: 'primary',
    sort: 'on',
    cell: ({ on }) => <span className="tabular whitespace-nowrap">{formatDate(on)}</span>,
  },
  { header: 'Point', card: 'secondary', sort: 'prm', cell: (row) => <PointCell {...row} /> },
  {
    header: 'Événement',
    card: 'title',
    sort: 'event',
    cell: ({ event, meaning, collective }) => (
      <span className="block min-w-64 py-1.5">
        {meaning || event}
        <span className="block text-[0.8125rem] text-ink-soft">
          {[meaning && event, formatCollectiveCode(collective)].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
]

const DepositLink = withAccess(distributorFiles.upload, () => (
  <ButtonLink variant="secondary" to={useCurveTabLink()('fichiers')}>
    Déposer un fichier
  </ButtonLink>
))

const NoEvents = () => (
  <EmptyState
    title="Aucun événement contractuel"
    why={
      <>
        Mises en service, résiliations et changements de titulaire apparaissent ici dès qu’un flux C15 est reçu.{' '}
        <Link to="/enedis-api" className="text-link">
          Voir la connexion au distributeur
        </Link>
      </>
    }
    action={<DepositLink />}
  />
)

/** What happened to the contracts of the points, as the distributor tells it. */
export default function EventsTab() {
  const list = useList(distributorFiles.events)
  return (
    <ListScreen
      list={list}
      label="Événements contractuels"
      search="Rechercher un point ou un événement"
      columns={columns}
      empty={<NoEvents />}
    />
  )
}
