import { useQuery } from '@tanstack/react-query'
import { billing } from '@voisol/contract/billing'
import { invoices } from '@voisol/contract/invoices'
import type { Participant } from '@voisol/contract/participants'
import { useCan } from '../../lib/can.tsx'
import { formatMoney } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Link } from '../../ui/link.tsx'
import type { Column } from '../../ui/table.tsx'

const softTextClass = 'block text-[0.8125rem] text-ink-soft'
const QUARTER_HOUR_MS = 15 * 60_000

type ClientBalance = { billed: number; open: number; overdue: number; credit: number }
type ClientBalances = { accounts: Map<string, ClientBalance>; toBill: Map<string, number> | null }

/** What each client was invoiced and owes, and what is to come; null to who may not see it, or where nothing was issued. */
export function useClientBalances(): ClientBalances | null {
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
export const buildMoneyColumns = ({ accounts, toBill }: ClientBalances): Column<Participant>[] => [
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
