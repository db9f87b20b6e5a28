import { energy as energyApi } from '@voisol/contract/energy'
import { type Participant, participants } from '@voisol/contract/participants'
import { Can } from '../../lib/can.tsx'
import { metersOf } from '../../lib/energy-labels.ts'
import { date, energy, month, percent, plural } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Column } from '../../ui/table.tsx'
import { moneyColumns, useClientMoney } from './client-money.tsx'
import { ParticipantExport } from './export.tsx'
import { PortalFilter, ReviewFilter, StateFilter } from './filters.tsx'
import { KINDS, PORTAL } from './labels.ts'
import { useMonthEnergy } from './month-energy.ts'
import { Sheet } from './sheet/sheet.tsx'
import { SheetLink } from './sheet-link.tsx'

const soft = 'block text-[0.8125rem] text-ink-soft'
type Month = ReturnType<typeof useMonthEnergy>

const EnergyCell = ({ id, sums, failed }: Month & { id: string }) => {
  if (!sums && !failed) return <Skeleton className="ml-auto h-4 w-16" />
  const own = sums?.get(id)
  if (!own || own.consumed + own.produced === 0) return '–'
  return (
    <span className="block py-1 whitespace-nowrap">
      {own.consumed > 0 && energy(own.consumed)}
      {own.consumed > 0 && <span className={soft}>dont {percent(own.local / own.consumed, 0)} locale</span>}
      {own.produced > 0 && <span className={own.consumed > 0 ? soft : 'block'}>{energy(own.produced)} produits</span>}
    </span>
  )
}

const CONSENT = /^Consentement à la collecte( des mesures)? (.)/
/** Under its own title the mark needs no more than its end: « À renouveler avant le … ». */
const consentOf = ({ review, state }: Participant) => {
  const mark = review.find((text) => CONSENT.test(text))?.replace(CONSENT, (_, __, letter) => letter.toUpperCase())
  if (mark) return <span className="block min-w-36 py-1 text-[0.8125rem] text-warning">{mark}</span>
  return state === 'active' || state === 'upcoming' ? 'À jour' : '–'
}

const energyColumn = (month: Month): Column<Participant> => ({
  header: 'Énergie du mois',
  card: 'primary',
  align: 'end',
  cell: ({ id }) => <EnergyCell id={id} {...month} />,
})

const pointsColumn: Column<Participant> = {
  header: 'Points',
  card: 'none',
  cell: ({ points }) => <span className="whitespace-nowrap">{plural(metersOf(points).length, 'point')}</span>,
}

const seenColumn: Column<Participant> = {
  header: 'Dernière connexion',
  card: 'primary',
  sort: 'lastSignInAt',
  cell: ({ portal }) => (portal.lastSignInAt ? date(portal.lastSignInAt) : 'Jamais'),
}

type Owes = ReturnType<typeof useClientMoney>

const columnsFor = (energyOf: Month | null, owes: Owes): Column<Participant>[] => [
  {
    header: 'Client',
    card: 'title',
    sort: 'name',
    cell: ({ id, name, kind, city }) => (
      <span className="block min-w-36 py-1">
        <SheetLink id={id}>{name}</SheetLink>
        <span className={soft}>{city || KINDS[kind]}</span>
      </span>
    ),
  },
  {
    header: 'Contact',
    card: 'secondary',
    sort: 'email',
    cell: ({ email, phone }) => (
      <span className="block min-w-40 py-1 wrap-anywhere">
        {email || phone || '–'}
        {email && <span className={soft}>{phone}</span>}
      </span>
    ),
  },
  ...(owes ? [] : [pointsColumn]),
  {
    header: 'Portail',
    card: 'primary',
    sort: 'portal',
    cell: ({ portal }) => (
      <span className="block py-1">
        <Badge tone={PORTAL[portal.status].tone}>{PORTAL[portal.status].label}</Badge>
        {owes && portal.lastSignInAt && <span className={soft}>vu le {date(portal.lastSignInAt)}</span>}
      </span>
    ),
  },
  ...(owes ? [] : [seenColumn]),
  ...(energyOf ? [energyColumn(energyOf)] : []),
  ...(owes ? moneyColumns(owes) : []),
  { header: 'Consentement', card: 'primary', cell: consentOf },
]

const WithMonth = () => <ClientList energyOf={useMonthEnergy()} />

/** With the energy of the month for those who may see it. */
export default function Clients() {
  return (
    <Can call={energyApi.members} otherwise={<ClientList energyOf={null} />}>
      <WithMonth />
    </Can>
  )
}

function ClientList({ energyOf }: { energyOf: Month | null }) {
  const list = useList(participants.list)
  const owes = useClientMoney()
  return (
    <>
      <PageHeader
        title="Clients"
        description={
          energyOf
            ? `Contact, portail, consentements${owes ? ', factures' : ''} et énergie du mois (${month(energyOf.from)}).`
            : `Contact, portail${owes ? ', factures' : ''} et consentements.`
        }
        actions={
          <ButtonLink to="/participants" variant="secondary">
            Gérer les participants
          </ButtonLink>
        }
      />
      <ListScreen
        list={list}
        label="Clients"
        search="Rechercher un nom, un PRM, un e-mail"
        columns={columnsFor(energyOf, owes)}
        filters={
          <>
            <PortalFilter filters={list.filters} setFilters={list.setFilters} />
            <StateFilter filters={list.filters} setFilters={list.setFilters} />
            <ReviewFilter filters={list.filters} setFilters={list.setFilters} />
          </>
        }
        exports={<ParticipantExport filters={list.filters} />}
        empty={
          <EmptyState
            title="Aucun client"
            why="Vos clients sont les participants de vos opérations."
            action={
              <Can call={participants.create}>
                <ButtonLink to="/participants">Ajouter des participants</ButtonLink>
              </Can>
            }
          />
        }
      />
      <Sheet />
    </>
  )
}
