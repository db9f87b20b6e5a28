import { energy as energyApi } from '@voisol/contract/energy'
import { type Participant, participants } from '@voisol/contract/participants'
import { Can } from '../../lib/can.tsx'
import { toMeters } from '../../lib/energy-labels.ts'
import { formatCount, formatDate, formatEnergy, formatMonth, formatPercent } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Column } from '../../ui/table.tsx'
import { buildMoneyColumns, useClientBalances } from './client-money.tsx'
import { ParticipantExport } from './export.tsx'
import { PortalFilter, ReviewFilter, StateFilter } from './filters.tsx'
import { PARTICIPANT_KIND_LABELS, PORTAL_STATUS_LABELS } from './labels.ts'
import { useMonthEnergy } from './month-energy.ts'
import { ParticipantDrawer } from './sheet/sheet.tsx'
import { ParticipantLink } from './sheet-link.tsx'

const softTextClass = 'block text-[0.8125rem] text-ink-soft'
type MonthEnergyState = ReturnType<typeof useMonthEnergy>

const EnergyCell = ({ id, sums, failed }: MonthEnergyState & { id: string }) => {
  if (!sums && !failed) return <Skeleton className="ml-auto h-4 w-16" />
  const own = sums?.get(id)
  if (!own || own.consumed + own.produced === 0) return '–'
  return (
    <span className="block py-1 whitespace-nowrap">
      {own.consumed > 0 && formatEnergy(own.consumed)}
      {own.consumed > 0 && (
        <span className={softTextClass}>dont {formatPercent(own.local / own.consumed, 0)} locale</span>
      )}
      {own.produced > 0 && (
        <span className={own.consumed > 0 ? softTextClass : 'block'}>{formatEnergy(own.produced)} produits</span>
      )}
    </span>
  )
}

const CONSENT_PATTERN = /^Consentement à la collecte( des mesures)? (.)/
/** Under its own title the mark needs no more than its end: « À renouveler avant le … ». */
const renderConsent = ({ review, state }: Participant) => {
  const mark = review
    .find((text) => CONSENT_PATTERN.test(text))
    ?.replace(CONSENT_PATTERN, (_, __, letter) => letter.toUpperCase())
  if (mark) return <span className="block min-w-36 py-1 text-[0.8125rem] text-warning">{mark}</span>
  return state === 'active' || state === 'upcoming' ? 'À jour' : '–'
}

const buildEnergyColumn = (month: MonthEnergyState): Column<Participant> => ({
  header: 'Énergie du mois',
  card: 'primary',
  align: 'end',
  cell: ({ id }) => <EnergyCell id={id} {...month} />,
})

const pointsColumn: Column<Participant> = {
  header: 'Points',
  card: 'none',
  cell: ({ points }) => <span className="whitespace-nowrap">{formatCount(toMeters(points).length, 'point')}</span>,
}

const lastSignInColumn: Column<Participant> = {
  header: 'Dernière connexion',
  card: 'primary',
  sort: 'lastSignInAt',
  cell: ({ portal }) => (portal.lastSignInAt ? formatDate(portal.lastSignInAt) : 'Jamais'),
}

type ClientBalances = ReturnType<typeof useClientBalances>

const buildColumns = (energyOf: MonthEnergyState | null, balances: ClientBalances): Column<Participant>[] => [
  {
    header: 'Client',
    card: 'title',
    sort: 'name',
    cell: ({ id, name, kind, city }) => (
      <span className="block min-w-36 py-1">
        <ParticipantLink id={id}>{name}</ParticipantLink>
        <span className={softTextClass}>{city || PARTICIPANT_KIND_LABELS[kind]}</span>
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
        {email && <span className={softTextClass}>{phone}</span>}
      </span>
    ),
  },
  ...(balances ? [] : [pointsColumn]),
  {
    header: 'Portail',
    card: 'primary',
    sort: 'portal',
    cell: ({ portal }) => (
      <span className="block py-1">
        <Badge tone={PORTAL_STATUS_LABELS[portal.status].tone}>{PORTAL_STATUS_LABELS[portal.status].label}</Badge>
        {balances && portal.lastSignInAt && (
          <span className={softTextClass}>vu le {formatDate(portal.lastSignInAt)}</span>
        )}
      </span>
    ),
  },
  ...(balances ? [] : [lastSignInColumn]),
  ...(energyOf ? [buildEnergyColumn(energyOf)] : []),
  ...(balances ? buildMoneyColumns(balances) : []),
  { header: 'Consentement', card: 'primary', cell: renderConsent },
]

const ClientListWithEnergy = () => <ClientList energyOf={useMonthEnergy()} />

/** With the energy of the month for those who may see it. */
export default function ClientsPage() {
  return (
    <Can call={energyApi.members} otherwise={<ClientList energyOf={null} />}>
      <ClientListWithEnergy />
    </Can>
  )
}

function ClientList({ energyOf }: { energyOf: MonthEnergyState | null }) {
  const list = useList(participants.list)
  const balances = useClientBalances()
  return (
    <>
      <PageHeader
        title="Clients"
        description={
          energyOf
            ? `Contact, portail, consentements${balances ? ', factures' : ''} et énergie du mois (${formatMonth(energyOf.from)}).`
            : `Contact, portail${balances ? ', factures' : ''} et consentements.`
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
        columns={buildColumns(energyOf, balances)}
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
      <ParticipantDrawer />
    </>
  )
}
