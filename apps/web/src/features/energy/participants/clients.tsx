import { useQuery } from '@tanstack/react-query'
import { billing } from '@voisol/contract/billing'
import { energy, energy as energyApi } from '@voisol/contract/energy'
import { invoices } from '@voisol/contract/invoices'
import { type Participant, participants } from '@voisol/contract/participants'
import { Badge } from '../../../components/badge.tsx'
import { ButtonLink } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { buildPeriod, getTodayInParis } from '../../../components/period/period.ts'
import type { Column } from '../../../components/table.tsx'
import { call } from '../../../lib/call.ts'
import { Can, useCan } from '../../../lib/can.tsx'
import { toMeters } from '../../../lib/energy-labels.ts'
import { formatCount, formatDate, formatEnergy, formatMoney, formatMonth, formatPercent } from '../../../lib/format.ts'
import { query, useList } from '../../../lib/queries.ts'
import { PARTICIPANT_KIND_LABELS, PORTAL_STATUS_LABELS } from './labels.ts'
import { ParticipantExport, PortalFilter, ReviewFilter, StateFilter } from './list-toolbar.tsx'
import { ParticipantDrawer, ParticipantLink } from './participant-drawer.tsx'

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

type MonthEnergy = { consumed: number; local: number; produced: number }
const PAGE_SIZE = 100
const NO_ENERGY: MonthEnergy = { consumed: 0, local: 0, produced: 0 }

/** The rows are points; a client is the sum of theirs. */
async function loadMonthEnergy(from: string, to: string): Promise<Map<string, MonthEnergy>> {
  const sums = new Map<string, MonthEnergy>()
  for (let page = 1, readRows = 0, total = 1; readRows < total; page += 1) {
    const rows = await call(energy.members, { query: { from, to, page, size: PAGE_SIZE } })
    for (const { participantId, direction, total: all, local } of rows.items) {
      const previous = sums.get(participantId) ?? NO_ENERGY
      const updated =
        direction === 'consumption'
          ? { consumed: previous.consumed + all, local: previous.local + local }
          : { produced: previous.produced + all }
      sums.set(participantId, { ...previous, ...updated })
    }
    if (rows.items.length === 0) break
    readRows += rows.items.length
    total = rows.total
  }
  return sums
}

/** Each client's energy since the first of the month. */
function useMonthEnergy() {
  const { from, to } = buildPeriod('month', getTodayInParis())
  const { data, error } = useQuery({
    queryKey: [energy.members.path, 'by participant', from, to],
    queryFn: () => loadMonthEnergy(from, to),
  })
  return { from, sums: data, failed: error !== null }
}

const QUARTER_HOUR_MS = 15 * 60_000

type ClientBalance = { billed: number; open: number; overdue: number; credit: number }
type ClientMoneyClientBalances = { accounts: Map<string, ClientBalance>; toBill: Map<string, number> | null }

/** What each client was invoiced and owes, and what is to come; null to who may not see it, or where nothing was issued. */
function useClientBalances(): ClientMoneyClientBalances | null {
  const can = useCan()
  const accounts = useQuery({ ...query(invoices.accounts, { query: {} }), enabled: can(invoices.accounts) })
  const hasAccounts = (accounts.data?.items.length ?? 0) > 0
  const unbilled = useQuery({
    ...query(billing.toBill, { query: {} }),
    enabled: hasAccounts && can(billing.toBill),
    staleTime: QUARTER_HOUR_MS,
  })
  if (!accounts.data || !hasAccounts) return null
  return {
    accounts: new Map(accounts.data.items.map(({ buyer, ...owed }) => [buyer.id, owed])),
    toBill: unbilled.data ? new Map(unbilled.data.buyers.map(({ id, gross }) => [id, gross])) : null,
  }
}

const renderBalanceNote = ({ open, overdue, credit }: ClientBalance) => {
  const lateClass = 'block text-[0.8125rem] text-danger'
  if (overdue > 0)
    return <span className={lateClass}>{overdue < open && `dont ${formatMoney(overdue)} `}en retard</span>
  if (open === 0 && credit > 0) return <span className={softTextClass}>{formatMoney(credit)} de crédit</span>
  return null
}

/** « Facturé » leads to the client's account, where each document of it stands. */
const buildMoneyColumns = ({ accounts, toBill }: ClientMoneyClientBalances): Column<Participant>[] => [
  {
    header: 'Facturé TTC',
    card: 'primary',
    align: 'end',
    cell: ({ id }) => {
      const own = accounts.get(id)
      if (!own) return '–'
      return (
        <Link to={`/participant-billing?participant=${id}`} className="text-link whitespace-nowrap">
          {formatMoney(own.billed)}
        </Link>
      )
    },
  },
  ...(toBill
    ? [
        {
          header: 'À facturer TTC',
          card: 'primary' as const,
          align: 'end' as const,
          cell: ({ id }: Participant) => (toBill.has(id) ? formatMoney(toBill.get(id) ?? 0) : '–'),
        },
      ]
    : []),
  {
    header: 'Reste dû',
    card: 'primary',
    align: 'end',
    cell: ({ id }) => {
      const own = accounts.get(id)
      if (!own) return '–'
      return (
        <span className="block py-1">
          {own.open > 0 ? formatMoney(own.open) : 'Rien'}
          {renderBalanceNote(own)}
        </span>
      )
    },
  },
]
